import type { BlockSummary } from '../../../ledger/index.ts';
import { offeredTip } from '../../../ledger/index.ts';
import { type Hexadecimal, isEthereumTransaction, quantity } from '../../../protocol/index.ts';
import { operationsIn } from '../../blocks/block-operations.ts';
import type { QueryContext } from '../../method-context.ts';

/** Returns the tips at percentiles of the gas that the Ethereum transactions of a block used, in steps. */
export function* blockRewards(
  { ledger, blockFacts }: QueryContext,
  block: BlockSummary,
  percentiles: readonly number[],
): Generator<string, Hexadecimal[]> {
  const { baseFee } = ledger.prices.of(block);
  const sums = yield* blockFacts.gasJob(ledger, block);
  const paid: { readonly tip: bigint; readonly gas: bigint }[] = [];
  let total = 0n;
  for (const { index, operation } of operationsIn(ledger, block)) {
    yield '';
    if (!isEthereumTransaction(operation)) continue;
    const gas = (sums[index] ?? 0n) - (sums[index - 1] ?? 0n);
    total += gas;
    paid.push({ tip: offeredTip(operation.innerTransaction, baseFee), gas });
  }
  paid.sort((one, other) => Number(one.tip - other.tip));
  let position = 0;
  let gas = paid[0]?.gas ?? 0n;
  return percentiles.map((percentile) => {
    const threshold = Number(total) * (percentile / 100);
    for (
      let next = paid[position + 1];
      Number(gas) < threshold && next !== undefined;
      next = paid[position + 1]
    ) {
      gas += next.gas;
      position += 1;
    }
    return quantity(paid[position]?.tip ?? 0n);
  });
}
