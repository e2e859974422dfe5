import type { IncludedOperation, LedgerQueries } from '../../ledger/index.ts';
import { CREATION_SEARCH_MAX, LISTED_OPERATIONS_MAX } from '../../limits.ts';
import { type Address, equalBytes, senderAddress } from '../../protocol/index.ts';
import { RequestFailedError } from '../errors.ts';
import type { QueryContext } from '../method-context.ts';
import { budgetOf, withinLimits } from '../tracing/traceable.ts';
import { creationWithin } from './calls.ts';

/** How a contract came to be. */
export interface Creation {
  readonly operation: IncludedOperation;
  readonly creator: Address;
}

/**
 * How a contract came to be: its own operation is found by the index of addresses; one that code created has none
 * there, so that the block is looked for from which on it is there, and runs again.
 *
 * @returns undefined where there is no contract, and for one of the genesis or of a test
 * @throws RequestFailedError where code created it before the kept window
 */
export function creationOf(context: QueryContext, address: Address): Creation | undefined {
  const { ledger } = context;
  if (ledger.contractIdAt(address) === undefined) return undefined;
  const own = ownCreation(ledger, address);
  if (own !== undefined) return { operation: own, creator: senderAddress(own.operation) };
  const number = firstBlockWith(context, address);
  const block = number === 0 ? undefined : ledger.blockByNumber(number);
  const found = block && creationWithin(context, block, address);
  const operation = found && ledger.operationAt(number, found.index);
  return operation && { operation, creator: found.creator };
}

/** The operation that created a contract by itself: others may have sent something to its address before. */
function ownCreation(ledger: LedgerQueries, address: Address): IncludedOperation | undefined {
  let from: { block: number; index: number } | undefined;
  for (let looked = 0; looked < CREATION_SEARCH_MAX; looked += LISTED_OPERATIONS_MAX) {
    const found = ledger.operationsOf({ address, order: 'oldestFirst', from, limit: LISTED_OPERATIONS_MAX });
    for (const { operation } of found) {
      const created = ledger.receiptOutlineOf(operation.block.number, operation.index)?.contractAddress;
      if (created !== undefined && equalBytes(created, address)) return operation;
    }
    const last = found.at(-1)?.operation;
    if (last === undefined || found.length < LISTED_OPERATIONS_MAX) return undefined;
    from = { block: last.block.number, index: last.index };
  }
  return undefined;
}

/** The block from which on a contract is there, found by halving. @throws RequestFailedError where that is not kept */
function firstBlockWith(context: QueryContext, address: Address): number {
  const { ledger } = context;
  const { oldestKept } = ledger;
  const isThere = (block: number): boolean =>
    block === ledger.head().number || ledger.stateBefore(block + 1).contractIdAt(address) !== undefined;
  if (isThere(oldestKept)) {
    if (oldestKept === 0) return 0;
    throw new RequestFailedError(
      `the contract was created by code before block ${oldestKept}, whose state is not kept (--undo-blocks)`,
    );
  }
  const budget = budgetOf(context);
  let [without, found] = [oldestKept, ledger.head().number];
  return withinLimits(() => {
    while (without + 1 < found) {
      budget.checkTime();
      const middle = Math.floor((without + found) / 2);
      if (isThere(middle)) found = middle;
      else without = middle;
    }
    return found;
  });
}
