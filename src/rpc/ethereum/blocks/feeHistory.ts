import type { LedgerQueries } from '../../../ledger/index.ts';
import { FEE_HISTORY_BLOCKS_MAX } from '../../../limits.ts';
import { type FeeHistory, feeHistoryShape, quantity } from '../../../view/index.ts';
import { newestOf, percentilesSchema } from '../../answers/fee-history.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { blockSelectorSchema } from '../../parameters/block.ts';
import { quantitySchema } from '../../parameters/quantity.ts';
import type { BlockFactsCache } from '../../response-cache/block-facts-cache.ts';
import { readingOf } from '../../response-cache/block-steps.ts';
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
  handler: ({ ledger, responses, blockFacts }, [count, selector, percentiles]) => {
    const newest = newestOf(ledger, selector);
    const most = Math.min(newest + 1, FEE_HISTORY_BLOCKS_MAX);
    const blocks = count < BigInt(most) ? Number(count) : most;
    const range = { oldest: newest + 1 - blocks, blocks };
    const rewards = percentiles?.length ?? 0;
    // Every wallet asks for the same few ranges, and nothing of these changes.
    const key = `${range.oldest} ${blocks} ${rewards}`;
    return responses.feeHistories.inSteps(key, 'ask for fewer blocks', () =>
      historySteps(ledger, blockFacts, range, rewards),
    );
  },
});

function* historySteps(
  ledger: LedgerQueries,
  answers: BlockFactsCache,
  { oldest, blocks }: { readonly oldest: number; readonly blocks: number },
  rewards: number,
): Generator<string, void> {
  const { rules } = ledger;
  const newest = ledger.blockByNumber(oldest + blocks - 1);
  const check = newest === undefined ? () => undefined : readingOf(ledger, newest);
  const gasUsedRatio: number[] = [];
  for (let number = oldest; number < oldest + blocks; number += 1) {
    const block = ledger.blockByNumber(number);
    const gas = block === undefined ? [] : yield* answers.gasSteps(ledger, block);
    gasUsedRatio.push(Math.min(1, Number(gas.at(-1) ?? 0n) / Number(rules.blockGasLimit)));
    yield '';
    check();
  }
  const history: FeeHistory = {
    oldestBlock: quantity(oldest),
    baseFeePerGas: new Array(blocks + 1).fill(gasPriceOf(rules)),
    gasUsedRatio,
    baseFeePerBlobGas: new Array(blocks + 1).fill(BLOB_FEE),
    blobGasUsedRatio: new Array(blocks).fill(0),
    ...(rewards === 0 ? {} : { reward: new Array(blocks).fill(new Array(rewards).fill(NO_TIP)) }),
  };
  yield JSON.stringify(history);
  check();
}
