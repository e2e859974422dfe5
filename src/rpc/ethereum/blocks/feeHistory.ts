import type { LedgerQueries } from '../../../ledger/index.ts';
import { FEE_HISTORY_BLOCKS_MAX } from '../../../limits.ts';
import { quantity } from '../../../view/index.ts';
import type { EthereumAnswers } from '../../answers/ethereum-answers.ts';
import { type FeeHistory, feeHistoryShape, newestOf, percentilesSchema } from '../../answers/fee-history.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { blockSelectorSchema } from '../../parameters/block.ts';
import { quantitySchema } from '../../parameters/quantity.ts';
import { gasPriceOf } from '../constants.ts';

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
    const newest = newestOf(ledger, selector);
    const most = Math.min(newest + 1, FEE_HISTORY_BLOCKS_MAX);
    const blocks = count < BigInt(most) ? Number(count) : most;
    const range = { oldest: newest + 1 - blocks, blocks };
    const rewards = percentiles?.length ?? 0;
    // Every wallet asks for the same few ranges, and nothing of these changes.
    return ethereumIncluded.feeHistories.of(`${range.oldest} ${blocks} ${rewards}`, () =>
      historyOf(ledger, ethereumIncluded, range, rewards),
    );
  },
});

function historyOf(
  ledger: LedgerQueries,
  answers: EthereumAnswers,
  { oldest, blocks }: { readonly oldest: number; readonly blocks: number },
  rewards: number,
): FeeHistory {
  const { rules } = ledger;
  const gasUsedRatio = Array.from({ length: blocks }, (_, index) => {
    const block = ledger.blockByNumber(oldest + index);
    const gasUsed = block === undefined ? 0n : answers.sumsOf(ledger, block).gasUsed;
    return Math.min(1, Number(gasUsed) / Number(rules.blockGasLimit));
  });
  return {
    oldestBlock: quantity(oldest),
    baseFeePerGas: new Array(blocks + 1).fill(gasPriceOf(rules)),
    gasUsedRatio,
    baseFeePerBlobGas: new Array(blocks + 1).fill(BLOB_FEE),
    blobGasUsedRatio: new Array(blocks).fill(0),
    ...(rewards === 0 ? {} : { reward: new Array(blocks).fill(new Array(rewards).fill(NO_TIP)) }),
  };
}
