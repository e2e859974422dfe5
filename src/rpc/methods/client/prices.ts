import type { LedgerQueries } from '../../../ledger/index.ts';
import { type Hexadecimal, invariant, quantity } from '../../../protocol/index.ts';
import { type FeeHistory, feeHistoryShape, shape } from '../../../view/index.ts';
import { revertCheck } from '../../blocks/block-steps.ts';
import { numberOfSelector } from '../../blocks/find-block.ts';
import type { ProfileId } from '../../context/profile-id.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { feesOnFork } from '../../fork/range-rules.ts';
import { defineBlockQuery, defineClientMethod, type MethodDefinition } from '../../method.ts';
import type { MethodContext, QueryContext } from '../../method-context.ts';
import { type BlockSelector, blockSelectorSchema } from '../../parameters/block.ts';
import { boundedQuantity, numberSchema, quantitySchema } from '../../parameters/plain.ts';
import { explained, mapped, optional, refusal } from '../../parameters/schema.ts';
import { arrayOf } from '../../parameters/structures.ts';
import type { Profile } from '../../profiles/profile.ts';

/** Blocks, and percentiles, of one `eth_feeHistory`. */
const FEE_HISTORY_BLOCKS_MAX = 1_024;
const FEE_HISTORY_PERCENTILES_MAX = 100;

/** Differences of a price from Ethereum, and its value if that is constant. */
type PriceTexts = Readonly<Record<ProfileId, readonly [differences?: string, result?: Hexadecimal]>>;

const GAS_PRICE: PriceTexts = {
  ledger: ['Always 1: fees are offered as an amount, and there is no market for gas.', '0x1'],
  ethereum: ['The base fee of the next block and the suggested tip.'],
};

const BASE_FEE: PriceTexts = {
  ledger: ['Always 0: the price of gas is 1, and the producer gets all of it.', '0x0'],
  ethereum: [],
};

const PRIORITY_FEE: PriceTexts = {
  ledger: ['Always 1, the price of gas: there is no base fee and no market.', '0x1'],
  ethereum: ['A setting of the node: 1 gwei in test mode, else 0.'],
};

const BLOB_BASE_FEE = 'Always 1, the minimum, on a chain without blobs.';

export function gasPriceMethods({ id, unit, prices }: Profile): readonly MethodDefinition[] {
  return [
    priceMethod(
      'eth_gasPrice',
      `Returns the price of a unit of gas in ${unit}.`,
      GAS_PRICE[id],
      ({ ledger }) => prices.gasPrice(ledger),
    ),
    priceMethod(
      'eth_maxPriorityFeePerGas',
      `Returns what a unit of gas costs beyond the base fee, in ${unit}.`,
      PRIORITY_FEE[id],
      ({ ledger }) => prices.priorityFee(ledger),
    ),
    priceMethod(
      'eth_baseFee',
      `Returns the base fee of the next block in ${unit}.`,
      BASE_FEE[id],
      ({ ledger }) => prices.baseFee(ledger),
    ),
    priceMethod(
      'eth_blobBaseFee',
      'Returns the base fee of blob gas of the next block, as contracts see it.',
      [BLOB_BASE_FEE, '0x1'],
      ({ ledger }) => quantity(ledger.prices.ofBlobGas()),
    ),
  ];
}

function priceMethod(
  name: string,
  summary: string,
  [differences, result]: PriceTexts[ProfileId],
  handler: (context: MethodContext) => ReturnType<Profile['prices']['gasPrice']>,
): MethodDefinition {
  return defineClientMethod({
    name,
    summary,
    result: shape.quantity,
    differences,
    ...(result && { example: { parameters: [], result } }),
    handler,
  });
}

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

function percentilesSchema(id: ProfileId) {
  const list = arrayOf(numberSchema, { most: FEE_HISTORY_PERCENTILES_MAX, unit: 'percentiles' });
  const rising = mapped(list, (percentiles, path) => {
    const problem = percentileProblem(percentiles);
    if (problem === undefined) return percentiles;
    if (id === 'ethereum') throw new RequestFailedError(`invalid reward percentile: ${problem}`);
    throw refusal(path, 'expected percentiles from 0 to 100 in ascending order, each once');
  });
  return explained(optional(rising), { title: 'array of percentiles' });
}

/** The count, which `/ethereum` reduces to the most, since Ethereum's clients request any number. */
const COUNT_PARAMETER = {
  ledger: { name: 'blockCount', schema: boundedQuantity(FEE_HISTORY_BLOCKS_MAX, 'blocks') },
  ethereum: {
    name: 'blockCount',
    schema: mapped(quantitySchema, (count) =>
      count < BigInt(FEE_HISTORY_BLOCKS_MAX) ? Number(count) : FEE_HISTORY_BLOCKS_MAX,
    ),
    summary: `The result has at most ${FEE_HISTORY_BLOCKS_MAX}.`,
  },
};

const DIFFERENCES: Readonly<Record<ProfileId, string>> = {
  ledger:
    'The base fee is always 0 and the reward 1, the price of gas. A block has no gas limit: its ratio is 1 if it has ' +
    'collected any fees, and otherwise 0.',
  ethereum: 'Rewards are those of Ethereum transactions: native ones have no market.',
};

const LEDGER_EXAMPLE = {
  parameters: ['0x1', 'latest', [50]],
  result: {
    oldestBlock: '0x14',
    baseFeePerGas: ['0x0', '0x0'],
    gasUsedRatio: [1],
    baseFeePerBlobGas: ['0x0', '0x0'],
    blobGasUsedRatio: [0],
    reward: [['0x1']],
  },
};

/** The result for 0 blocks in geth: it looks for none, and omits most lists. */
const NO_HISTORY = { oldestBlock: '0x0', gasUsedRatio: null } as const;

const HISTORY_SHAPES = {
  ledger: feeHistoryShape,
  ethereum: shape.either(
    feeHistoryShape,
    shape.object({ oldestBlock: shape.quantity, gasUsedRatio: shape.nullable(shape.emptyArray) }),
  ),
};

export const feeHistory = (profile: Profile): MethodDefinition =>
  defineBlockQuery({
    name: 'eth_feeHistory',
    summary: 'Returns the base fees, the rewards and the used gas ratios of a range of blocks.',
    parameters: [
      COUNT_PARAMETER[profile.id],
      { name: 'newestBlock', schema: blockSelectorSchema },
      {
        name: 'rewardPercentiles',
        schema: percentilesSchema(profile.id),
        summary: 'The percentiles of the rewards.',
      },
    ],
    beforeFork: feesOnFork,
    result: HISTORY_SHAPES[profile.id],
    errors: [ERRORS.beyondHead],
    differences: DIFFERENCES[profile.id],
    example: profile.id === 'ledger' ? LEDGER_EXAMPLE : undefined,
    handler: (context, [count, selector, percentiles]) => {
      if (count === 0 && profile.id === 'ethereum') return NO_HISTORY;
      const newest = newestOf(context.ledger, selector);
      const blocks = Math.min(count, newest + 1 - (context.ledger.parameters.rules.fork?.number ?? 0));
      const range = { oldest: newest + 1 - blocks, blocks };
      const rewards = percentiles ?? [];
      // Wallets request the same few ranges, whose results do not change, except for the next base fees.
      const next =
        newest === context.ledger.blocks.head().number
          ? profile.prices.baseFee(context.ledger) + profile.prices.blobBaseFee(context.ledger)
          : '';
      const key = `${range.oldest} ${blocks} ${rewards.join()} ${next}`;
      return context.responses.feeHistories.inSteps(key, 'ask for fewer blocks', () =>
        historySteps(context, profile, range, rewards),
      );
    },
  });

/** Finds the newest block of a range. @throws RequestFailedError beyond the head */
function newestOf(ledger: LedgerQueries, selector: BlockSelector): number {
  const head = ledger.blocks.head().number;
  const newest = numberOfSelector(ledger, selector);
  if (newest !== undefined && newest <= head) return newest;
  throw new RequestFailedError(`request beyond head block: requested ${selector}, head ${head}`);
}

function* historySteps(
  context: QueryContext,
  { prices }: Profile,
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
    baseFees.push(prices.baseFeeOf(ledger, block));
    blobBaseFees.push(prices.blobBaseFee(ledger, block));
    blobGasUsedRatio.push(prices.blobRatio(ledger, block));
    if (percentiles.length > 0) reward.push(yield* prices.rewards(context, block, percentiles));
    yield '';
    check();
  }
  const next = ledger.blocks.blockByNumber(oldest + blocks);
  baseFees.push(next === undefined ? prices.baseFee(ledger) : prices.baseFeeOf(ledger, next));
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
