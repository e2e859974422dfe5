/** JSON-RPC 2.0: parsing, dispatch, batches, errors and the methods of the interface. */

export { type Caller, FORWARDED_FIELD, NO_CLIENT } from './context/caller.ts';
export type {
  BlockInterval,
  BlockOrder,
  ChainControl,
  ControlState,
  MiningMode,
} from './context/chain-control.ts';
export type { MethodContext, TestChainContext } from './context/method-context.ts';
export {
  type ChainDumps,
  type ForwardedSend,
  type HoldBytes,
  type NodeParts,
  type SendForwarder,
  UnfitDumpError,
} from './context/node-parts.ts';
export {
  type BlockLogStatus,
  type NodeStatus,
  STANDALONE_STATUS,
  type SyncStatus,
} from './context/node-status.ts';
export type { Profile } from './context/profile.ts';
export { DEFAULT_RPC_LIMITS, type RpcLimits } from './context/rpc-limits.ts';
export { describeInterface } from './description/describe-interface.ts';
export type { DescribedError } from './description/described-errors.ts';
export { ETHEREUM_INTERFACE } from './description/interfaces.ts';
export type {
  DocumentMethod,
  OpenRpcDocument,
  ShapeDifference,
} from './description/openrpc-document.ts';
export { createDispatcher, type Dispatcher } from './dispatch/dispatcher.ts';
export { type ErrorObject, errorResponse, type RequestId } from './envelope/envelope.ts';
export {
  ForwardedError,
  InternalError,
  InvalidParametersError,
  InvalidRequestError,
  LimitError,
  MethodNotFoundError,
  ParseError,
  RequestFailedError,
  RpcError,
} from './envelope/errors.ts';
export { errorObjectOf } from './envelope/failure.ts';
export { OTHER_METHOD, OUTCOMES, type Outcome } from './envelope/outcome.ts';
export type { Response, WholeResponse } from './envelope/response.ts';
export { type Answer, StreamedAnswer } from './envelope/streamed-answer.ts';
export { ETHEREUM_METHODS } from './ethereum/index.ts';
export { LongBody } from './json/long-body.ts';
export { type Account, Accountant, HELD_KINDS, type HeldBytes, HeldLimitError } from './memory/accountant.ts';
export { LongAnswer } from './memory/long-answer.ts';
export { defineMethod, type MethodDefinition } from './method.ts';
export { METHODS, type MethodRegistry } from './methods/registry.ts';
export type { Message, Subscriber } from './subscriptions/subscriber.ts';
export { mayHaveMore } from './turns/fair-share.ts';
export { QueryAnswers } from './workers/query-answers.ts';
export {
  type QueryWorkers,
  type WorkerAnswer,
  type WorkerAsking,
  WorkerLostError,
} from './workers/query-workers.ts';
export type { TraceAsking, TraceTask, TraceWorkers } from './workers/trace-workers.ts';
