/** JSON-RPC 2.0: parsing, dispatch, batches, errors and the methods of the interface. */

export type { Response } from './batch.ts';
export { type Caller, mayHaveMore, NO_CLIENT } from './callers.ts';
export type { BlockInterval, BlockOrder, ChainControl, ControlState, MiningMode } from './chain-control.ts';
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
} from './context.ts';
export type { DescribedError } from './description/described-errors.ts';
export { ETHEREUM_INTERFACE } from './description/interfaces.ts';
export type {
  DocumentMethod,
  OpenRpcDocument,
  ShapeDifference,
} from './description/openrpc-document.ts';
export { createDispatcher, type Dispatcher } from './dispatcher.ts';
export { type ErrorObject, errorResponse, type RequestId } from './envelope.ts';
export {
  InternalError,
  InvalidParametersError,
  InvalidRequestError,
  LimitError,
  MethodNotFoundError,
  ParseError,
  RequestFailedError,
  RpcError,
} from './errors.ts';
export { ETHEREUM_METHODS } from './ethereum/index.ts';
export { errorObjectOf } from './failure.ts';
export { LongBody } from './json/long-body.ts';
export { type Account, Accountant, HELD_KINDS, type HeldBytes, HeldLimitError } from './memory/accountant.ts';
export { defineMethod, type MethodDefinition } from './method.ts';
export type { MethodContext, TestChainContext } from './method-context.ts';
export { describeInterface } from './openrpc.ts';
export type { Profile } from './profile.ts';
export { METHODS, type MethodRegistry } from './registry.ts';
export { type Answer, StreamedAnswer } from './streamed-answer.ts';
export type { Message, Subscriber } from './subscriptions/subscriber.ts';
export { QueryAnswers } from './workers/query-answers.ts';
export {
  type QueryWorkers,
  type WorkerAnswer,
  type WorkerAsking,
  WorkerLostError,
} from './workers/query-workers.ts';
export type { TraceAsking, TraceTask, TraceWorkers } from './workers/trace-workers.ts';
