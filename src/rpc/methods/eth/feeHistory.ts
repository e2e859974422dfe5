import { z } from 'zod';
import type { LedgerQueries } from '../../../ledger/index.ts';
import { FEE_HISTORY_BLOCKS_MAX, FEE_HISTORY_PERCENTILES_MAX } from '../../../limits.ts';
import { quantity } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { describeValue } from '../../json/describe.ts';
import { numberOfSelector } from '../../lookups.ts';
import { defineQuery } from '../../method.ts';
import { type BlockSelector, blockSelectorSchema } from '../../schemas/block.ts';
import { tooMany } from '../../schemas/choice.ts';
import { boundedQuantitySchema } from '../../schemas/quantity.ts';
import { quantityResult } from '../../schemas/results.ts';

const ZERO = quantity(0);
const ONE = quantity(1);

const percentilesSchema = z
  .array(z.number({ error: ({ input }) => `expected a number, got ${describeValue(input)}` }), {
    error: ({ input }) => `expected an array, got ${describeValue(input)}`,
  })
  .max(FEE_HISTORY_PERCENTILES_MAX, tooMany(FEE_HISTORY_PERCENTILES_MAX, 'percentiles'))
  .refine(areAscending, 'expected percentiles from 0 to 100 in ascending order')
  .nullish()
  .meta({ title: 'array of percentiles' });

const feeHistoryResult = z
  .strictObject({
    oldestBlock: quantityResult,
    baseFeePerGas: z.array(quantityResult).meta({ description: 'One more than blocks: that of the next.' }),
    gasUsedRatio: z.array(z.number()),
    baseFeePerBlobGas: z.array(quantityResult),
    blobGasUsedRatio: z.array(z.number()),
    reward: z.array(z.array(quantityResult)).optional(),
  })
  .meta({ id: 'FeeHistory', title: 'fee history' });

export const feeHistory = defineQuery({
  name: 'eth_feeHistory',
  summary: 'Answers what gas cost in a range of blocks, and how full the blocks were.',
  section: 'blocks',
  parameters: [
    { name: 'blockCount', schema: boundedQuantitySchema(FEE_HISTORY_BLOCKS_MAX, 'blocks') },
    { name: 'newestBlock', schema: blockSelectorSchema },
    { name: 'rewardPercentiles', schema: percentilesSchema, summary: 'For which rewards are answered.' },
  ],
  result: feeHistoryResult,
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
  handler: ({ ledger }, count, selector, percentiles) => {
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

function areAscending(percentiles: readonly number[]): boolean {
  return percentiles.every((value, index) => value >= (percentiles[index - 1] ?? 0) && value <= 100);
}

/** @throws RequestFailedError beyond the head */
function newestOf(ledger: LedgerQueries, selector: BlockSelector): number {
  const head = ledger.head().number;
  const newest = numberOfSelector(ledger, selector);
  if (newest !== undefined && newest <= head) return newest;
  throw new RequestFailedError(`request beyond head block: requested ${selector}, head ${head}`);
}
