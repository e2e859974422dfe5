import { BLOB_GAS } from '../../../consensus.ts';
import { type FeeHistory, feeHistoryShape, shape } from '../../../formatters/index.ts';
import type { BlockSummary, LedgerQueries } from '../../../ledger/index.ts';
import { type Hexadecimal, invariant, quantity } from '../../../protocol/index.ts';
import { revertCheck } from '../../blocks/block-operations.ts';
import { numberOfSelector } from '../../blocks/find-block.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { feesOnFork } from '../../fork/range-rules.ts';
import type { ResponseBody } from '../../json/response-body.ts';
import { defineBlockQuery, defineClientMethod, type MethodDefinition } from '../../method.ts';
import type { QueryContext } from '../../method-context.ts';
import { type BlockSelector, blockSelectorSchema } from '../../parameters/block.ts';
import { numberSchema, quantitySchema } from '../../parameters/plain.ts';
import { explained, mapped, optional, type Parameter, type ParameterPath } from '../../parameters/schema.ts';
import { arrayOf } from '../../parameters/structures.ts';
import { RequestFailedError } from '../../rpc-errors.ts';
import { suggestedPrice, suggestedTip } from '../../transactions/suggested-prices.ts';
import { blockRewards } from './block-rewards.ts';

/** Blocks, and percentiles, of one `eth_feeHistory`. */
export const FEE_HISTORY_BLOCKS_MAX = 1_024;
const FEE_HISTORY_PERCENTILES_MAX = 100;

const gasPrice = defineClientMethod({
  name: 'eth_gasPrice',
  summary: 'Returns the price of a unit of gas in wei.',
  result: shape.quantity,
  differences: 'The base fee of the next block and the suggested tip.',
  // The price of a transaction without a tip, or with one in its price.
  handler: ({ ledger }) => quantity(suggestedPrice(ledger)),
});

const maxPriorityFeePerGas = defineClientMethod({
  name: 'eth_maxPriorityFeePerGas',
  summary: 'Returns what a unit of gas costs beyond the base fee, in wei.',
  result: shape.quantity,
  differences: 'A setting of the node: 1 gwei in test mode, else 0.',
  handler: ({ ledger }) => quantity(suggestedTip(ledger)),
});

const baseFee = defineClientMethod({
  name: 'eth_baseFee',
  summary: 'Returns the base fee of the next block in wei.',
  result: shape.quantity,
  handler: ({ ledger }) => quantity(ledger.prices.next().baseFee),
});

const blobBaseFee = defineClientMethod({
  name: 'eth_blobBaseFee',
  summary: 'Returns the base fee of blob gas of the next block, as contracts see it.',
  result: shape.quantity,
  differences: 'Always 1, the minimum, on a chain without blobs.',
  example: { parameters: [], result: '0x1' },
  handler: ({ ledger }) => quantity(ledger.prices.ofBlobGas()),
});

export const GAS_PRICE_METHODS: readonly MethodDefinition[] = [
  gasPrice,
  maxPriorityFeePerGas,
  baseFee,
  blobBaseFee,
];

/** The prices and the used gas of blocks in fee histories. */
export interface FeeHistoryPrices {
  /** Returns the base fee of a block, by default of the next one. */
  baseFee(ledger: LedgerQueries, block?: BlockSummary): Hexadecimal;
  /** Returns the tips at percentiles of the gas of a block, in steps. */
  rewards(
    context: QueryContext,
    block: BlockSummary,
    percentiles: readonly number[],
  ): Generator<string, Hexadecimal[]>;
  /** Returns the base fee of blob gas of a block, by default of the next one. */
  blobBaseFee(ledger: LedgerQueries, block?: BlockSummary): Hexadecimal;
  /** Returns the used share of the blobs of a block, from 0 to 1. */
  blobRatio(ledger: LedgerQueries, block: BlockSummary): number;
  /** Returns the used share of the gas limit of a block, from 0 to 1, in steps. */
  usedRatio(context: QueryContext, block: BlockSummary): Generator<string, number>;
}

/** The prices of Ethereum transactions, by the fee rule of the chain. */
const PRICES: FeeHistoryPrices = {
  baseFee: ({ prices }, block) => quantity((block === undefined ? prices.next() : prices.of(block)).baseFee),
  rewards: blockRewards,
  blobBaseFee: ({ prices }, block) => quantity(prices.ofBlobGas(block)),
  blobRatio: ({ prices, parameters }, block) => {
    const { blobs } = parameters.rules;
    return blobs === undefined ? 0 : Number(prices.of(block).blobGasUsed) / (blobs.max * BLOB_GAS);
  },
  *usedRatio({ ledger, blockFacts }, block) {
    const gas = yield* blockFacts.gasJob(ledger, block);
    return Math.min(1, Number(gas.at(-1) ?? 0n) / Number(ledger.prices.settings(block).gasLimit));
  },
};

/** Returns geth's text about percentiles that are out of range, or do not rise; undefined for others. */
function percentileProblem(percentiles: readonly number[]): string | undefined {
  for (const [index, value] of percentiles.entries()) {
    const previous = percentiles[index - 1];
    const text = value.toFixed(PERCENTILE_DIGITS);
    if (value < 0 || value > 100) return text;
    if (previous === undefined || value > previous) continue;
    return `#${index - 1}:${previous.toFixed(PERCENTILE_DIGITS)} >= #${index}:${text}`;
  }
  return undefined;
}

/** Digits after the point with which Go prints a number by default. */
const PERCENTILE_DIGITS = 6;

/** Returns the schema of percentiles. @param errorOf returns the error for those that do not rise from 0 to 100 */
function percentilesSchema(errorOf: (problem: string, path: ParameterPath) => Error) {
  const list = arrayOf(numberSchema, { most: FEE_HISTORY_PERCENTILES_MAX, unit: 'percentiles' });
  const rising = mapped(list, (percentiles, path) => {
    const problem = percentileProblem(percentiles);
    if (problem === undefined) return percentiles;
    throw errorOf(problem, path);
  });
  return explained(optional(rising), { title: 'array of percentiles' });
}

/** The result for 0 blocks in geth: it looks for none, and omits most lists. */
const NO_HISTORY = { oldestBlock: '0x0', gasUsedRatio: null } as const;

/** Returns the method that shows the prices of a range of blocks. @param errorOf as of `percentilesSchema` */
export const feeHistoryMethod = (
  countParameter: Parameter<number>,
  errorOf: (problem: string, path: ParameterPath) => Error,
  historyOf: (context: QueryContext, ...range: HistoryRange) => ResponseBody<FeeHistory> | typeof NO_HISTORY,
): MethodDefinition =>
  defineBlockQuery({
    name: 'eth_feeHistory',
    summary: 'Returns the base fees, the rewards and the used gas ratios of a range of blocks.',
    parameters: [
      countParameter,
      { name: 'newestBlock', schema: blockSelectorSchema },
      {
        name: 'rewardPercentiles',
        schema: percentilesSchema(errorOf),
        summary: 'The percentiles of the rewards.',
      },
    ],
    beforeFork: feesOnFork,
    result: shape.either(
      feeHistoryShape,
      shape.object({ oldestBlock: shape.quantity, gasUsedRatio: shape.nullable(shape.emptyArray) }),
    ),
    errors: [ERRORS.beyondHead],
    differences: 'Rewards are those of Ethereum transactions: native ones have no market.',
    handler: (context, range) => historyOf(context, ...range),
  });

export const feeHistory = feeHistoryMethod(
  {
    name: 'blockCount',
    // Ethereum's clients request any number.
    schema: mapped(quantitySchema, (count) =>
      count < BigInt(FEE_HISTORY_BLOCKS_MAX) ? Number(count) : FEE_HISTORY_BLOCKS_MAX,
    ),
    summary: `The result has at most ${FEE_HISTORY_BLOCKS_MAX}.`,
  },
  (problem) => new RequestFailedError(`invalid reward percentile: ${problem}`),
  (context, count, ...range) => (count === 0 ? NO_HISTORY : feeHistoryOf(context, PRICES, count, ...range)),
);

type HistoryRange = readonly [
  count: number,
  newest: BlockSelector,
  percentiles: readonly number[] | undefined,
];

/** Writes the history of a number of blocks up to one, in steps. @throws RequestFailedError beyond the head */
export function feeHistoryOf(
  context: QueryContext,
  prices: FeeHistoryPrices,
  ...[count, selector, percentiles = []]: HistoryRange
): ResponseBody<FeeHistory> {
  const { ledger, responses } = context;
  const newest = newestOf(ledger, selector);
  const blocks = Math.min(count, newest + 1 - (ledger.parameters.rules.fork?.number ?? 0));
  const range = { oldest: newest + 1 - blocks, blocks };
  // Wallets request the same few ranges, whose results do not change, except for the next base fees.
  const isHead = newest === ledger.blocks.head().number;
  const next = isHead ? prices.baseFee(ledger) + prices.blobBaseFee(ledger) : '';
  const key = `${range.oldest} ${blocks} ${percentiles.join()} ${next}`;
  return responses.feeHistories.getOrWrite(key, 'ask for fewer blocks', () =>
    historyPieces(context, prices, range, percentiles),
  );
}

/** Finds the newest block of a range. @throws RequestFailedError beyond the head */
function newestOf(ledger: LedgerQueries, selector: BlockSelector): number {
  const head = ledger.blocks.head().number;
  const newest = numberOfSelector(ledger, selector);
  if (newest !== undefined && newest <= head) return newest;
  throw new RequestFailedError(`request beyond head block: requested ${selector}, head ${head}`);
}

function* historyPieces(
  context: QueryContext,
  prices: FeeHistoryPrices,
  { oldest, blocks }: { readonly oldest: number; readonly blocks: number },
  percentiles: readonly number[],
): Generator<string, void> {
  const { ledger } = context;
  const newest = ledger.blocks.blockByNumber(oldest + blocks - 1);
  const check = newest === undefined ? () => undefined : revertCheck(ledger, newest);
  const gasUsedRatio: number[] = [];
  const baseFees: Hexadecimal[] = [];
  const blobBaseFees: Hexadecimal[] = [];
  const blobGasUsedRatio: number[] = [];
  const reward: Hexadecimal[][] = [];
  for (let number = oldest; number < oldest + blocks; number += 1) {
    const block = ledger.blocks.blockByNumber(number);
    invariant(block !== undefined, 'every block up to the head exists');
    gasUsedRatio.push(yield* prices.usedRatio(context, block));
    baseFees.push(prices.baseFee(ledger, block));
    blobBaseFees.push(prices.blobBaseFee(ledger, block));
    blobGasUsedRatio.push(prices.blobRatio(ledger, block));
    if (percentiles.length > 0) reward.push(yield* prices.rewards(context, block, percentiles));
    yield '';
    check();
  }
  const next = ledger.blocks.blockByNumber(oldest + blocks);
  baseFees.push(prices.baseFee(ledger, next));
  blobBaseFees.push(prices.blobBaseFee(ledger, next));
  const history: FeeHistory = {
    oldestBlock: quantity(oldest),
    baseFeePerGas: baseFees,
    gasUsedRatio,
    baseFeePerBlobGas: blobBaseFees,
    blobGasUsedRatio,
    ...(percentiles.length > 0 && { reward }),
  };
  yield JSON.stringify(history);
  check();
}
