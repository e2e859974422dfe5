/** JSON-RPC 2.0: parsing, dispatch, batches, errors and the methods of the interface. */

export { type Caller, mayHaveMore, NO_CLIENT } from './context/caller.ts';
export type {
  BlockInterval,
  BlockOrder,
  ChainControl,
  ControlState,
  MiningMode,
} from './context/chain-control.ts';
export {
  type ChainDumps,
  DEFAULT_RPC_LIMITS,
  type LogStatus,
  type NodeStatus,
  OTHER_METHOD,
  OUTCOMES,
  type Outcome,
  type RpcContext,
  type RpcLimits,
  STANDALONE_STATUS,
  type SyncStatus,
} from './context/context.ts';
export type { MethodContext, TestChainContext } from './context/method-context.ts';
export type { Profile } from './context/profile.ts';
export { describeInterface } from './description/describe-interface.ts';
export type { DescribedError } from './description/described-errors.ts';
export { ETHEREUM_INTERFACE } from './description/interfaces.ts';
export type {
  DocumentMethod,
  OpenRpcDocument,
  ShapeDifference,
} from './description/openrpc-document.ts';
export type { Response } from './dispatch/batch.ts';
export { createDispatcher, type Dispatcher } from './dispatch/dispatcher.ts';
export { type ErrorObject, errorResponse, type RequestId } from './envelope/envelope.ts';
export {
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
export { type Answer, StreamedAnswer, type WholeResponse } from './envelope/streamed-answer.ts';
export { ETHEREUM_METHODS } from './ethereum/index.ts';
export { LongBody } from './json/long-body.ts';
export { type Account, Accountant, HELD_KINDS, type HeldBytes, HeldLimitError } from './memory/accountant.ts';
export { LongAnswer } from './memory/long-answer.ts';
export { defineMethod, type MethodDefinition } from './method.ts';
export { METHODS, type MethodRegistry } from './methods/registry.ts';
export type { Message, Subscriber } from './subscriptions/subscriber.ts';
export { QueryAnswers } from './workers/query-answers.ts';
export {
  type QueryWorkers,
  type WorkerAnswer,
  type WorkerAsking,
  WorkerLostError,
} from './workers/query-workers.ts';
export type { TraceAsking, TraceTask, TraceWorkers } from './workers/trace-workers.ts';
