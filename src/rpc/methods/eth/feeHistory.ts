import type { LedgerQueries } from '../../../ledger/index.ts';
import { FEE_HISTORY_BLOCKS_MAX, FEE_HISTORY_PERCENTILES_MAX } from '../../../limits.ts';
import {
  arrayShape,
  describedShape,
  namedShape,
  numberShape,
  objectShape,
  optionalShape,
  quantity,
  quantityShape,
} from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { numberOfSelector } from '../../lookups.ts';
import { defineMethod } from '../../method.ts';
import { type BlockSelector, blockSelectorSchema } from '../../parameters/block.ts';
import { numberSchema } from '../../parameters/plain.ts';
import { boundedQuantity } from '../../parameters/quantity.ts';
import { explained, mapped, optional, type Place, refusal } from '../../parameters/schema.ts';
import { arrayOf } from '../../parameters/structures.ts';

const ZERO = quantity(0);
const ONE = quantity(1);

const percentilesSchema = explained(
  optional(
    mapped(arrayOf(numberSchema, { most: FEE_HISTORY_PERCENTILES_MAX, unit: 'percentiles' }), ascending),
  ),
  { title: 'array of percentiles' },
);

const feeHistoryShape = namedShape(
  'FeeHistory',
  { title: 'fee history' },
  objectShape({
    oldestBlock: quantityShape,
    baseFeePerGas: describedShape(arrayShape(quantityShape), 'One more than blocks: that of the next.'),
    gasUsedRatio: arrayShape(numberShape),
    baseFeePerBlobGas: arrayShape(quantityShape),
    blobGasUsedRatio: arrayShape(numberShape),
    reward: optionalShape(arrayShape(arrayShape(quantityShape))),
  }),
);

export const feeHistory = defineMethod({
  name: 'eth_feeHistory',
  summary: 'Answers what gas cost in a range of blocks, and how full the blocks were.',
  section: 'blocks',
  work: 'worker',
  parameters: [
    { name: 'blockCount', schema: boundedQuantity(FEE_HISTORY_BLOCKS_MAX, 'blocks') },
    { name: 'newestBlock', schema: blockSelectorSchema },
    { name: 'rewardPercentiles', schema: percentilesSchema, summary: 'For which rewards are answered.' },
  ],
  result: feeHistoryShape,
  errors: [ERRORS.beyondHead],
  differences:
    'The base fee is always 0 and the reward 1, as the price of gas is 1. A block has no limit of its own, so that ' +
    'it is full (1) where it has collected any fees, and otherwise empty (0).',
  example: {
    parameters: ['0x1', 'latest', [50]],
    result: {
      oldestBlock: '0x14',
      baseFeePerGas: ['0x0', '0x0'],
      gasUsedRatio: [1],
      baseFeePerBlobGas: ['0x0', '0x0'],
      blobGasUsedRatio: [0],
      reward: [['0x1']],
    },
  },
  handler: ({ ledger }, [count, selector, percentiles]) => {
    const newest = newestOf(ledger, selector);
    const blocks = Math.min(count, newest + 1);
    const oldest = newest + 1 - blocks;
    const gasUsedRatio = Array.from({ length: blocks }, (_, index) =>
      (ledger.blockByNumber(oldest + index)?.feesCollected ?? 0n) > 0n ? 1 : 0,
    );
    const rewards = (percentiles ?? []).map(() => ONE);
    return {
      oldestBlock: quantity(oldest),
      baseFeePerGas: new Array(blocks + 1).fill(ZERO),
      gasUsedRatio,
      baseFeePerBlobGas: new Array(blocks + 1).fill(ZERO),
      blobGasUsedRatio: new Array(blocks).fill(0),
      ...(rewards.length === 0 ? {} : { reward: new Array(blocks).fill(rewards) }),
    };
  },
});

/** @throws InvalidParametersError for others */
function ascending(percentiles: readonly number[], place: Place): readonly number[] {
  if (percentiles.every((value, index) => value >= (percentiles[index - 1] ?? 0) && value <= 100))
    return percentiles;
  throw refusal(place, 'expected percentiles from 0 to 100 in ascending order');
}

/** @throws RequestFailedError beyond the head */
function newestOf(ledger: LedgerQueries, selector: BlockSelector): number {
  const head = ledger.head().number;
  const newest = numberOfSelector(ledger, selector);
  if (newest !== undefined && newest <= head) return newest;
  throw new RequestFailedError(`request beyond head block: requested ${selector}, head ${head}`);
}
