import { FEE_HISTORY_BLOCKS_MAX } from '../../../limits.ts';
import { feeHistoryShape, quantity } from '../../../view/index.ts';
import { newestOf, percentilesSchema } from '../../answers/fee-history.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { blockSelectorSchema } from '../../parameters/block.ts';
import { boundedQuantity } from '../../parameters/quantity.ts';

const ZERO = quantity(0);
const ONE = quantity(1);

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
