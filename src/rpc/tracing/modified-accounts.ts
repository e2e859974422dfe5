import type { BlockSummary } from '../../ledger/index.ts';
import { data, type Hexadecimal } from '../../view/index.ts';
import { RequestFailedError } from '../errors.ts';
import type { QueryContext } from '../method-context.ts';
import { blockOf, budgetOf, requireTraceable, stateAfter, withinLimits } from './traceable.ts';

/** What an address comes to in an answer. */
const ADDRESS_BYTES = 45;

/**
 * The addresses whose account or storage is not the same after two blocks, in their order.
 *
 * @param last absent: what the first block has changed itself
 * @throws RequestFailedError, LimitError
 */
export function modifiedBetween(
  context: QueryContext,
  first: BlockSummary,
  last: BlockSummary | undefined,
): Hexadecimal[] {
  const { ledger } = context;
  if (last === undefined) {
    requireTraceable(ledger, first);
    return modifiedBetween(context, blockOf(ledger, BigInt(first.number - 1)), first);
  }
  if (first.number >= last.number) {
    const heights = `start block height (${first.number}) must be less than end block height (${last.number})`;
    throw new RequestFailedError(heights);
  }
  stateAfter(ledger, first);
  const budget = budgetOf(context);
  const found: Hexadecimal[] = [];
  withinLimits(() =>
    ledger.findModifiedAccounts(
      { first, last },
      (address) => {
        budget.take(ADDRESS_BYTES);
        found.push(data(address));
      },
      () => budget.step(),
    ),
  );
  return found.sort();
}
