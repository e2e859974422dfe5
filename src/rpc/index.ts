/** JSON-RPC 2.0: parsing, dispatch, batches, errors and the methods of the interface. */

export type { Message, Subscriber } from './context/caller.ts';
export { type Caller, FORWARDED_HEADER, NO_CLIENT } from './context/caller.ts';
export type {
  BlockOrder,
  ChainControl,
  ControlState,
} from './context/chain-control.ts';
export {
  type BlobVerifier,
  type ChainDumps,
  type ForkChoice,
  type ForkControl,
  type ForwardedSend,
  type HoldBytes,
  InvalidDumpError,
  type NodeDependencies,
  type SendForwarder,
} from './context/node-dependencies.ts';
export type { BlockLogStatus, NodeStatus, SyncStatus } from './context/node-status.ts';
export { PROFILE_IDS, type ProfileId, SERVES_ETHEREUM } from './context/profile-id.ts';
export type { ForkedChain, RemoteChain } from './context/remote-chain.ts';
export { DEFAULT_RPC_LIMITS, type RpcLimits } from './context/rpc-limits.ts';
export type { OpenRpcDocument } from './description/openrpc-document.ts';
export { callsMethod } from './dispatch/calls-method.ts';
export { createDispatcher, type Dispatcher } from './dispatch/dispatcher.ts';
export { ETHEREUM_HINT } from './dispatch/ethereum-clients.ts';
export { JobRunner } from './dispatch/job-runner.ts';
export { NODE_NUMBER_MAX } from './feeds/filters.ts';
export { ownBody, type Response, ResponseBody, sharedBody } from './json/response-body.ts';
export { RESPONSE_CACHE_CHARACTERS_MAX } from './json/text-in-pieces.ts';
export { LONG_RESPONSE_CHARACTERS, LongBody } from './json/text-writer.ts';
export { errorObjectOf, OTHER_METHOD, OUTCOMES, type Outcome } from './messages/failure.ts';
export { errorResponse, NO_ID } from './messages/json-rpc.ts';
export { MINED_BLOCKS_MAX, MINED_BLOCKS_RETURNED_MAX } from './methods/control/mining.ts';
export { BLOCK_TIME_SECONDS_MAX } from './methods/control/mining-mode.ts';
export { CODE_SET_BYTES_MAX } from './methods/control/patches.ts';
export { describeInterface, ETHEREUM_INTERFACE } from './openrpc/describe-interface.ts';
export { ETHEREUM_METHODS, METHODS } from './registries.ts';
export { BlockFactsCache } from './response-cache/block-facts-cache.ts';
export {
  ForwardedError,
  InternalError,
  InvalidRequestError,
  LimitError,
  ParseError,
  RequestFailedError,
  RpcError,
} from './rpc-errors.ts';
export {
  type JobListener,
  type JobProcesses,
  type JobResult,
  TRACE_CHUNK_BYTES,
  TRACE_CHUNKS_AHEAD_MAX,
  type TraceJob,
  type WorkerJob,
  WorkerLostError,
} from './workers/jobs.ts';
