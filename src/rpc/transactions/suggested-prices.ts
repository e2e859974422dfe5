import type { Ledger } from '../../ledger/index.ts';

/** Returns the tip that the node suggests, in wei; 0 on a chain where tips are not charged. */
export function suggestedTip({ parameters, pool }: Ledger): bigint {
  return parameters.rules.fees.type === 'unit' ? 0n : pool.prices.suggestedTip;
}

/** Returns the price that the node suggests: base fee of the next block and tip, at least the price it requires. */
export function suggestedPrice(ledger: Ledger): bigint {
  const price = ledger.prices.next().baseFee + suggestedTip(ledger);
  const { minGasPrice } = ledger.pool.prices;
  return price > minGasPrice ? price : minGasPrice;
}
