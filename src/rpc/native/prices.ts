import { feeHistoryShape, shape } from '../../formatters/index.ts';
import type { Hexadecimal } from '../../protocol/index.ts';
import { defineBlockQuery, defineClientMethod, type MethodDefinition } from '../method.ts';
import {
  FEE_HISTORY,
  FEE_HISTORY_BLOCKS_MAX,
  type FeeHistoryPrices,
  feeHistoryOf,
  percentilesSchema,
  rangeParameters,
} from '../methods/client/prices.ts';
import { boundedQuantity } from '../parameters/plain.ts';
import { refusal } from '../parameters/schema.ts';

const GAS_PRICE = '0x1';
const BASE_FEE = '0x0';

function fixedPrice(
  name: string,
  price: Hexadecimal,
  summary: string,
  differences: string,
): MethodDefinition {
  const example = { parameters: [], result: price };
  return defineClientMethod({
    name,
    summary,
    result: shape.quantity,
    differences,
    example,
    handler: () => price,
  });
}

/** The prices of the native interface: a unit of gas costs a native unit, without a base fee. */
const PRICES: FeeHistoryPrices = {
  baseFee: () => BASE_FEE,
  *rewards(_context, _block, percentiles) {
    return percentiles.map(() => GAS_PRICE);
  },
  blobBaseFee: () => '0x0',
  blobRatio: () => 0,
  // biome-ignore lint/correctness/useYield: needs no steps.
  *usedRatio(_, { feesCollected }) {
    return feesCollected > 0n ? 1 : 0;
  },
};

const feeHistory = defineBlockQuery({
  ...FEE_HISTORY,
  parameters: [
    { name: 'blockCount', schema: boundedQuantity(FEE_HISTORY_BLOCKS_MAX, 'blocks') },
    ...rangeParameters(
      percentilesSchema((_, path) =>
        refusal(path, 'expected percentiles from 0 to 100 in ascending order, each once'),
      ),
    ),
  ],
  beforeFork: 'local',
  result: feeHistoryShape,
  differences:
    'The base fee is always 0 and the reward 1, the price of gas. A block has no gas limit: its ratio is 1 if it has ' +
    'collected any fees, and otherwise 0.',
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
  handler: (context, [count, newest, percentiles]) =>
    feeHistoryOf(context, PRICES, count, newest, percentiles),
});

/** The prices of gas, which are fixed here. */
export const NATIVE_PRICE_METHODS: readonly MethodDefinition[] = [
  fixedPrice(
    'eth_gasPrice',
    GAS_PRICE,
    'Returns the price of a unit of gas in native units.',
    'Always 1: fees are offered as an amount, and there is no market for gas.',
  ),
  fixedPrice(
    'eth_maxPriorityFeePerGas',
    GAS_PRICE,
    'Returns what a unit of gas costs beyond the base fee, in native units.',
    'Always 1, the price of gas: there is no base fee and no market.',
  ),
  fixedPrice(
    'eth_baseFee',
    BASE_FEE,
    'Returns the base fee of the next block in native units.',
    'Always 0: the price of gas is 1, and the producer gets all of it.',
  ),
  feeHistory,
];
