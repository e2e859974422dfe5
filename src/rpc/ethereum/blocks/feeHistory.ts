import { FEE_HISTORY_BLOCKS_MAX } from '../../../limits.ts';
import { quantity } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { feeHistoryShape, newestOf, percentilesSchema } from '../../fee-history.ts';
import { defineMethod } from '../../method.ts';
import { blockSelectorSchema } from '../../parameters/block.ts';
import { quantitySchema } from '../../parameters/quantity.ts';

const NO_TIP = quantity(0);
const BLOB_FEE = quantity(1);

export const feeHistory = defineMethod({
  name: 'eth_feeHistory',
  summary: 'Answers what gas cost in a range of blocks, and how full the blocks were.',
  section: 'blocks',
  work: 'worker',
  parameters: [
    {
      name: 'blockCount',
      schema: quantitySchema,
      summary: `At most ${FEE_HISTORY_BLOCKS_MAX} are answered.`,
    },
    { name: 'newestBlock', schema: blockSelectorSchema },
    { name: 'rewardPercentiles', schema: percentilesSchema, summary: 'For which rewards are answered.' },
  ],
  result: feeHistoryShape,
  errors: [ERRORS.beyondHead],
  differences: 'The base fee is always 10 gwei and the reward 0.',
  handler: ({ ledger, ethereumIncluded }, [count, selector, percentiles]) => {
    const { weiPerUnit, blockGasLimit } = ledger.rules;
    const newest = newestOf(ledger, selector);
    const most = Math.min(newest + 1, FEE_HISTORY_BLOCKS_MAX);
    const blocks = count < BigInt(most) ? Number(count) : most;
    const oldest = newest + 1 - blocks;
    const gasUsedRatio = Array.from({ length: blocks }, (_, index) => {
      const block = ledger.blockByNumber(oldest + index);
      const gasUsed = block === undefined ? 0n : ethereumIncluded.sumsOf(ledger, block).gasUsed;
      return Math.min(1, Number(gasUsed) / Number(blockGasLimit));
    });
    const rewards = (percentiles ?? []).map(() => NO_TIP);
    return {
      oldestBlock: quantity(oldest),
      baseFeePerGas: new Array(blocks + 1).fill(quantity(weiPerUnit)),
      gasUsedRatio,
      baseFeePerBlobGas: new Array(blocks + 1).fill(BLOB_FEE),
      blobGasUsedRatio: new Array(blocks).fill(0),
      ...(rewards.length === 0 ? {} : { reward: new Array(blocks).fill(rewards) }),
    };
  },
});
