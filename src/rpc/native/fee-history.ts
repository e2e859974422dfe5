import {
  FEE_HISTORY_BLOCKS_MAX,
  type FeeHistoryPrices,
  feeHistoryMethod,
  feeHistoryOf,
} from '../methods/client/prices.ts';
import { boundedQuantity } from '../parameters/plain.ts';
import { refusal } from '../parameters/schema.ts';

/** The prices of the native interface: a unit of gas costs a native unit, without a base fee. */
const PRICES: FeeHistoryPrices = {
  baseFee: () => '0x0',
  *rewards(_context, _block, percentiles) {
    return percentiles.map(() => '0x1');
  },
  blobBaseFee: () => '0x0',
  blobRatio: () => 0,
  // biome-ignore lint/correctness/useYield: needs no steps.
  *usedRatio(_, { feesCollected }) {
    return feesCollected > 0n ? 1 : 0;
  },
};

export const feeHistory = feeHistoryMethod(
  { name: 'blockCount', schema: boundedQuantity(FEE_HISTORY_BLOCKS_MAX, 'blocks') },
  (_, path) => refusal(path, 'expected percentiles from 0 to 100 in ascending order, each once'),
  (context, ...range) => feeHistoryOf(context, PRICES, ...range),
);
