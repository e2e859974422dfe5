import type { Ledger } from '../../ledger/index.ts';

/** Returns the tip that the node suggests, in wei. */
export function suggestedTip({ pool }: Ledger): bigint {
  return pool.prices.suggestedTip;
}

/** Returns the price that the node suggests: base fee of the next block and tip, at least the price it requires. */
export function suggestedPrice(ledger: Ledger): bigint {
  const price = ledger.prices.next().baseFee + suggestedTip(ledger);
  const { minGasPrice } = ledger.pool.prices;
  return price > minGasPrice ? price : minGasPrice;
}
