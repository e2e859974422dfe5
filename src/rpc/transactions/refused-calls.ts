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

/**
 * Runs a call, and words the refusal of one that could not begin, as methods of geth do.
 * @param textOf gives the text of the method
 * @throws RequestFailedError, and the other errors of `run`
 */
export function wordingRefusals<T>(textOf: (reason: string) => string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof RefusedError) || !CALL_REFUSALS.has(error.reason.code)) throw error;
    throw new RequestFailedError(textOf(error.message));
  }
}
