import { type Refusal, RefusedError } from '../../ledger/index.ts';
import { RequestFailedError } from '../rpc-errors.ts';

/** Refusals of calls that could not begin, as of a transaction. */
const CALL_REFUSALS: ReadonlySet<Refusal['code']> = new Set<Refusal['code']>([
  'tipAboveFeeCap',
  'feeCapTooLow',
  'blobFeeCapTooLow',
  'insufficientWei',
  'intrinsicGas',
  'floorDataGas',
  'initCodeTooLarge',
]);

/** Returns the error of a call to throw: for one that could not begin in the words of its method, as geth's. */
export function wordedRefusal(error: unknown, textOf: (reason: string) => string): unknown {
  const isRefused = error instanceof RefusedError && CALL_REFUSALS.has(error.reason.code);
  return isRefused ? new RequestFailedError(textOf(error.message)) : error;
}
