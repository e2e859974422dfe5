import type { LedgerQueries } from '../../ledger/index.ts';
import { FEE_HISTORY_PERCENTILES_MAX } from '../../limits.ts';
import { RequestFailedError } from '../errors.ts';
import type { BlockSelector } from '../parameters/block.ts';
import { numberSchema } from '../parameters/plain.ts';
import { explained, mapped, optional, type Place, refusal } from '../parameters/schema.ts';
import { arrayOf } from '../parameters/structures.ts';
import { numberOfSelector } from './find-block.ts';

/** The percentiles of `eth_feeHistory`. */
export const percentilesSchema = explained(
  optional(
    mapped(arrayOf(numberSchema, { most: FEE_HISTORY_PERCENTILES_MAX, unit: 'percentiles' }), ascending),
  ),
  { title: 'array of percentiles' },
);

/** @throws InvalidParametersError for others */
function ascending(percentiles: readonly number[], place: Place): readonly number[] {
  if (percentiles.every((value, index) => value >= (percentiles[index - 1] ?? 0) && value <= 100))
    return percentiles;
  throw refusal(place, 'expected percentiles from 0 to 100 in ascending order');
}

/** The newest block that is asked for. @throws RequestFailedError beyond the head */
export function newestOf(ledger: LedgerQueries, selector: BlockSelector): number {
  const head = ledger.head().number;
  const newest = numberOfSelector(ledger, selector);
  if (newest !== undefined && newest <= head) return newest;
  throw new RequestFailedError(`request beyond head block: requested ${selector}, head ${head}`);
}
