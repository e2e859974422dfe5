import { ExecutionRevertedError, HistoryDisabledError, RefusedError } from '../ledger/index.ts';
import { data } from '../view/index.ts';
import { WalletError } from '../wallet/index.ts';
import type { ErrorObject } from './envelope.ts';
import { EXECUTION_REVERTED_CODE, InternalError, REFUSED_CODE, RpcError } from './errors.ts';
import { revertReason } from './revert-reason.ts';

/**
 * Turns anything thrown while a request was answered into the error object that answers it.
 *
 * This is the only place that does so. What is not meant for the caller becomes "internal error" without
 * details and goes to `report` instead.
 */
export function failureOf(thrown: unknown, report: (error: unknown) => void): ErrorObject {
  if (thrown instanceof RpcError) return errorObjectOf(thrown);
  if (thrown instanceof ExecutionRevertedError) return revertFailure(thrown.output);
  if (
    thrown instanceof RefusedError ||
    thrown instanceof WalletError ||
    thrown instanceof HistoryDisabledError
  ) {
    return { code: REFUSED_CODE, message: thrown.message };
  }
  report(thrown);
  return errorObjectOf(new InternalError());
}

/** Writes one of the interface's own errors as an error object. */
export function errorObjectOf({ rpcCode, message }: RpcError): ErrorObject {
  return { code: rpcCode, message };
}

/** The error of a reverted execution: its data is the revert data, its message the reason where there is one. */
function revertFailure(output: Uint8Array): ErrorObject {
  const reason = revertReason(output);
  return {
    code: EXECUTION_REVERTED_CODE,
    message: reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`,
    data: data(output),
  };
}
