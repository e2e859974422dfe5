import { type Hexadecimal, quantity, quantityShape } from '../../../view/index.ts';
import type { ProfileId } from '../../context/profile-id.ts';
import { defineClientMethod, type MethodDefinition } from '../../method.ts';
import type { MethodContext } from '../../method-context.ts';
import type { Profile } from '../../profiles/profile.ts';

/** By profile the differences and the result of the example. */
type PriceTexts = Readonly<Record<ProfileId, readonly [differences: string, result: Hexadecimal]>>;

const GAS_PRICE: PriceTexts = {
  ledger: ['Always 1: fees are offered as an amount, and there is no market for gas.', '0x1'],
  ethereum: ['Always 10 gwei: a unit of gas costs a unit of the ledger.', '0x2540be400'],
};

const BASE_FEE: PriceTexts = {
  ledger: ['Always 0: the price of gas is 1, and all of it is a fee of the producer.', '0x0'],
  ethereum: ['Always 10 gwei.', '0x2540be400'],
};

const PRIORITY_FEE: PriceTexts = {
  ledger: ['Always 1, the price of gas: there is no base fee and no market.', '0x1'],
  ethereum: ['Always 0: only the base fee is charged, and a tip stays with its sender.', '0x0'],
};

const BLOB_BASE_FEE = 'Always 1, the least that Ethereum knows: no transaction of this ledger carries blobs.';

/** Returns the methods for the prices of gas. */
export function gasPriceMethods({ id, unit, prices }: Profile): readonly MethodDefinition[] {
  return [
    priceMethod(
      'eth_gasPrice',
      `Returns the price of a unit of gas in ${unit}.`,
      GAS_PRICE[id],
      ({ ledger }) => prices.gasPrice(ledger.rules),
    ),
    priceMethod(
      'eth_maxPriorityFeePerGas',
      `Returns what a unit of gas costs beyond the base fee, in ${unit}.`,
      PRIORITY_FEE[id],
      () => prices.priorityFee,
    ),
    priceMethod(
      'eth_baseFee',
      `Returns the base fee of the next block in ${unit}.`,
      BASE_FEE[id],
      ({ ledger }) => prices.baseFee(ledger.rules),
    ),
    priceMethod(
      'eth_blobBaseFee',
      'Returns the base fee of blob gas, as contracts see it.',
      [BLOB_BASE_FEE, '0x1'],
      () => quantity(1),
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
    result: quantityShape,
    differences,
    example: { parameters: [], result },
    handler,
  });
}
