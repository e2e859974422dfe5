import type { BlockSummary, LedgerQueries } from '../../ledger/index.ts';
import { type Hexadecimal, quantity } from '../../view/index.ts';
import { ResponseBody } from '../json/response-body.ts';
import type { QueryContext } from '../method-context.ts';

type Rules = LedgerQueries['rules'];

/** The prices of gas in the unit of a profile, which never change. */
export interface GasPrices {
  gasPrice(rules: Rules): Hexadecimal | ResponseBody<Hexadecimal>;
  baseFee(rules: Rules): Hexadecimal;
  readonly priorityFee: Hexadecimal;
  /** Base fee of blob gas, as fee histories have it. */
  readonly blobBaseFee: Hexadecimal;
  /** Returns the part of its gas that a block used, from 0 to 1, in steps. */
  usedRatio(context: QueryContext, block: BlockSummary): Generator<string, number>;
}

/** Prices on `/`: a unit of gas costs a native unit, without a base fee. */
export const LEDGER_PRICES: GasPrices = {
  gasPrice: () => '0x1',
  baseFee: () => '0x0',
  priorityFee: '0x1',
  blobBaseFee: '0x0',
  // biome-ignore lint/correctness/useYield: it takes no steps here.
  *usedRatio(_, { feesCollected }) {
    return feesCollected > 0n ? 1 : 0;
  },
};

/** Prices on `/ethereum`: the base fee is the worth of a native unit. */
export const ETHEREUM_PRICES: GasPrices = {
  gasPrice: madeOnce((rules: Rules) => textOf(rules.weiPerUnit)),
  baseFee: madeOnce((rules: Rules) => quantity(rules.weiPerUnit)),
  priorityFee: '0x0',
  blobBaseFee: '0x1',
  *usedRatio({ ledger, blockFacts }, block) {
    const gas = yield* blockFacts.gasSteps(ledger, block);
    return Math.min(1, Number(gas.at(-1) ?? 0n) / Number(ledger.rules.blockGasLimit));
  },
};

/** Returns the chain id as the text of a response. */
export const chainIdText = madeOnce(({ chainId }: LedgerQueries['network']) => textOf(chainId));

function textOf(value: number | bigint): ResponseBody<Hexadecimal> {
  return new ResponseBody(JSON.stringify(quantity(value)));
}

/** What follows from a part of a chain's genesis, made once: the part stays the same until another chain comes. */
function madeOnce<Part extends object, Value>(make: (part: Part) => Value): (part: Part) => Value {
  let known: { readonly part: Part; readonly value: Value } | undefined;
  return (part) => {
    if (known?.part !== part) known = { part, value: make(part) };
    return known.value;
  };
}
