import type { LedgerQueries } from '../../ledger/index.ts';
import { type Hexadecimal, quantity } from '../../view/index.ts';
import { ResponseBody } from '../json/response-body.ts';

/** What follows from a part of a chain's genesis, made once: the part stays the same until another chain comes. */
function madeOnce<Part extends object, Value>(make: (part: Part) => Value): (part: Part) => Value {
  let known: { readonly part: Part; readonly value: Value } | undefined;
  return (part) => {
    if (known?.part !== part) known = { part, value: make(part) };
    return known.value;
  };
}

/** What a unit of gas costs. */
export const gasPriceOf = madeOnce(
  ({ weiPerUnit }: LedgerQueries['rules']): Hexadecimal => quantity(weiPerUnit),
);

/** The same as the text of an answer. */
export const gasPriceText = madeOnce(
  (rules: LedgerQueries['rules']): ResponseBody<Hexadecimal> =>
    new ResponseBody(JSON.stringify(gasPriceOf(rules))),
);

/** The chain id as the text of an answer. */
export const chainIdText = madeOnce(
  ({ chainId }: LedgerQueries['network']): ResponseBody<Hexadecimal> =>
    new ResponseBody(JSON.stringify(quantity(chainId))),
);
