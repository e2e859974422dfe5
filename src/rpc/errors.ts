import { LedgerdError } from '../protocol/index.ts';

export { LimitError } from '../scheduling/index.ts';

/** The code of an error object for a contract that reverted. */
export const EXECUTION_REVERTED_CODE = 3;
/** The code of what ended a simulated call beside a revert. */
export const VM_ERROR_CODE = -32015;
/** The code of an error object for a transaction that was sent, and whose block did not come in time. */
export const STILL_PENDING_CODE = 4;
/** The code of an error object for something that the ledger or the wallet refused. */
export const REFUSED_CODE = -32000;
/** The code of an error object for a parameter that is wrong. */
export const INVALID_PARAMETERS_CODE = -32602;
/** The code of an error object for a method that there is not. */
export const METHOD_NOT_FOUND_CODE = -32601;
/** The code of an error object for a failure of the node itself. */
export const INTERNAL_CODE = -32603;
/** The code of an error object for a bound of the node that was exceeded. */
export const LIMIT_CODE = -32005;

/** An error that a caller is answered with: its message is for the caller, its JSON-RPC code a literal. */
export abstract class RpcError extends LedgerdError {
  abstract readonly rpcCode: number;
}

/** The body is not JSON. */
export class ParseError extends RpcError {
  override readonly code = 'PARSE';
  override readonly rpcCode = -32700;
}

/** The body is JSON, but no request of JSON-RPC 2.0. */
export class InvalidRequestError extends RpcError {
  override readonly code = 'INVALID_REQUEST';
  override readonly rpcCode = -32600;
}

/** The method is unknown, not implemented, or of a mode that the node does not run in. */
export class MethodNotFoundError extends RpcError {
  override readonly code = 'METHOD_NOT_FOUND';
  override readonly rpcCode = METHOD_NOT_FOUND_CODE;
}

/** A parameter is missing, superfluous or not what the method takes; the message names it. */
export class InvalidParametersError extends RpcError {
  override readonly code = 'INVALID_PARAMETERS';
  override readonly rpcCode = INVALID_PARAMETERS_CODE;
}

/** The request is sound, and its outcome is a failure, such as an `eth_call` that ran out of gas. */
export class RequestFailedError extends RpcError {
  override readonly code = 'REQUEST_FAILED';
  override readonly rpcCode = REFUSED_CODE;
}

/** A block was reverted while a response about it was written. */
export class BlockRevertedError extends RequestFailedError {
  constructor(block: number) {
    super(`block #${block} was reverted while it was read: ask again`);
  }
}

/** A trace takes longer than it may: in geth's words. */
export class TraceTimeoutError extends RequestFailedError {
  override readonly code = 'REQUEST_FAILED';

  constructor() {
    super('execution timeout');
  }
}

/** A transaction is in no block yet when the time is over that its sender waits for it (EIP-7966). */
export class StillPendingError extends RpcError {
  override readonly code = 'STILL_PENDING';
  override readonly rpcCode = STILL_PENDING_CODE;
  /** The transaction's hash, for the error object. */
  readonly data: string;

  constructor(message: string, data: string) {
    super(message);
    this.data = data;
  }
}

/** The error with which another node responded to a call that was forwarded to it. */
export class ForwardedError extends RpcError {
  override readonly code = 'FORWARDED';
  override readonly rpcCode: number;
  /** The data of its error object. */
  readonly data: string | undefined;

  constructor(rpcCode: number, message: string, data: string | undefined) {
    super(message);
    this.rpcCode = rpcCode;
    this.data = data;
  }
}

/** The node itself failed; the message tells nothing of how. */
export class InternalError extends RpcError {
  override readonly code = 'INTERNAL';
  override readonly rpcCode = INTERNAL_CODE;

  constructor() {
    super('internal error');
  }
}
