import { LedgerdError } from '../protocol/index.ts';

export { LimitError } from '../scheduling/index.ts';

/** Codes of error objects. */
export const EXECUTION_REVERTED_CODE = 3;
/** The code of a simulated call that halted without a revert. */
export const VM_ERROR_CODE = -32015;
export const STILL_PENDING_CODE = 4;
export const REFUSED_CODE = -32000;
export const INVALID_PARAMETERS_CODE = -32602;
export const METHOD_NOT_FOUND_CODE = -32601;
export const INTERNAL_CODE = -32603;
export const LIMIT_CODE = -32005;

/** An error with a message for the caller. */
export abstract class RpcError extends LedgerdError {
  abstract readonly rpcCode: number;
}

export class ParseError extends RpcError {
  override readonly code = 'PARSE';
  override readonly rpcCode = -32700;
}

/** A body that is JSON, but not a request of JSON-RPC 2.0. */
export class InvalidRequestError extends RpcError {
  override readonly code = 'INVALID_REQUEST';
  override readonly rpcCode = -32600;
}

/** The method is unknown, not implemented, or of a mode that the node does not run in. */
export class MethodNotFoundError extends RpcError {
  override readonly code = 'METHOD_NOT_FOUND';
  override readonly rpcCode = METHOD_NOT_FOUND_CODE;
}

/** A missing, superfluous or wrong parameter, which the message names. */
export class InvalidParametersError extends RpcError {
  override readonly code = 'INVALID_PARAMETERS';
  override readonly rpcCode = INVALID_PARAMETERS_CODE;
}

/** A valid request that failed, such as an `eth_call` that ran out of gas. */
export class RequestFailedError extends RpcError {
  override readonly code = 'REQUEST_FAILED';
  override readonly rpcCode = REFUSED_CODE;
}

/** A reorg that reverted a block during the response about it. */
export class BlockRevertedError extends RequestFailedError {
  constructor(block: number) {
    super(`block #${block} was reverted while it was read: ask again`);
  }
}

/** A trace that exceeded its time limit, with the message of geth. */
export class TraceTimeoutError extends RequestFailedError {
  constructor() {
    super('execution timeout');
  }
}

/** A transaction that is in no block yet when the wait of its sender ends (EIP-7966). */
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

/** An error of the groups of the Execution APIs, as `data` of an error object. */
export interface GroupedError {
  readonly code: number;
  readonly message: string;
}

/** The error with which another node responded to a call that was forwarded to it. */
export class ForwardedError extends RpcError {
  override readonly code = 'FORWARDED';
  override readonly rpcCode: number;
  /** The data of its error object. */
  readonly data: string | GroupedError | undefined;

  constructor(rpcCode: number, message: string, data: string | GroupedError | undefined) {
    super(message);
    this.rpcCode = rpcCode;
    this.data = data;
  }
}

/** A bundle of calls that the node does not send as a wallet (EIP-5792). */
export class WalletCallError extends RpcError {
  override readonly code = 'WALLET_CALL';
  override readonly rpcCode: number;

  /** @param detail completes the message */
  constructor({ code, message }: { readonly code: number; readonly message: string }, detail?: string) {
    super(detail === undefined ? message : message.replace('…', () => detail));
    this.rpcCode = code;
  }
}

/** A failure of the node itself, without details. */
export class InternalError extends RpcError {
  override readonly code = 'INTERNAL';
  override readonly rpcCode = INTERNAL_CODE;

  constructor() {
    super('internal error');
  }
}
