import { BLOCK_NUMBER_MAX, OPERATION_INDEX_MAX } from '../../consensus.ts';
import type { IncludedOperation, PendingOperation } from '../../ledger/index.ts';
import { LISTED_OPERATIONS_DEFAULT, LISTED_OPERATIONS_MAX } from '../../limits.ts';
import type { Address } from '../../protocol/index.ts';
import {
  arrayShape,
  describedShape,
  type ListedOperationObject,
  listedOperationShape,
  nullableShape,
  type OperationTerms,
  objectShape,
  quantity,
  quantityShape,
  toListedOperation,
} from '../../view/index.ts';
import type { QueryContext } from '../method-context.ts';
import { boundedQuantity } from '../parameters/quantity.ts';
import { explained, optional, type ReadBy } from '../parameters/schema.ts';
import { objectOf } from '../parameters/structures.ts';
import type { Profile } from '../profiles/profile.ts';

/** Where a page ends, and the next one begins. */
export const operationPlaceSchema = objectOf({
  blockNumber: boundedQuantity(BLOCK_NUMBER_MAX, 'as a block number'),
  transactionIndex: boundedQuantity(OPERATION_INDEX_MAX, 'as a position'),
});

/** Where `ledger_getOperations` goes on: the place that an answer of it has ended with. */
export type OperationPlace = ReadBy<typeof operationPlaceSchema>;

/** How many operations an answer lists. */
export const listedCountSchema = explained(
  optional(boundedQuantity(LISTED_OPERATIONS_MAX, 'operations'), LISTED_OPERATIONS_DEFAULT),
  {
    description: `How many at most; ${LISTED_OPERATIONS_DEFAULT} unless given, ${LISTED_OPERATIONS_MAX} at most.`,
  },
);

/** A page of the operations of an address. */
export const operationPageShape = objectShape({
  operations: arrayShape(listedOperationShape, LISTED_OPERATIONS_MAX),
  next: describedShape(
    nullableShape(objectShape({ blockNumber: quantityShape, transactionIndex: quantityShape })),
    'What `before` is for the next page; null where there is none.',
  ),
});

/** What the object of an operation takes from its profile. */
export function termsOf(
  { ledger }: QueryContext,
  found: IncludedOperation | PendingOperation,
  profile: Profile,
): OperationTerms {
  return { hash: profile.objects.hash(found), perUnit: profile.perUnit(ledger) };
}

/** The operations that an address has to do with, newest first. @param before absent: the newest */
export function operationPage(
  context: QueryContext,
  address: Address,
  before: OperationPlace | undefined,
  count: number,
  profile: Profile,
) {
  const { ledger } = context;
  const from = before && { block: before.blockNumber, index: before.transactionIndex };
  const found = ledger.operationsOf({ address, order: 'newestFirst', from, limit: count + 1 });
  const operations: ListedOperationObject[] = found.slice(0, count).map(({ operation, isSender }) => {
    const receipt = ledger.receiptOutlineOf(operation.block.number, operation.index);
    return toListedOperation(operation, receipt, termsOf(context, operation, profile), isSender);
  });
  const last = found[count - 1]?.operation;
  const isMore = found.length > count && last !== undefined;
  const next = isMore
    ? { blockNumber: quantity(last.block.number), transactionIndex: quantity(last.index) }
    : null;
  return { operations, next };
}
