import { BLOCK_NUMBER_MAX, OPERATION_INDEX_MAX } from '../../../consensus.ts';
import {
  type ListedOperationObject,
  listedOperationShape,
  type OperationTerms,
  operationShape,
  shape,
  toListedOperation,
  toOperation,
} from '../../../formatters/index.ts';
import type { IncludedOperation, PendingOperation } from '../../../ledger/index.ts';
import { type Address, invariant, quantity } from '../../../protocol/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineBlockQuery, defineMethod, type MethodDefinition } from '../../method.ts';
import type { QueryContext } from '../../method-context.ts';
import { boundedQuantity } from '../../parameters/plain.ts';
import { explained, hashSchema, optional, type ReadBy } from '../../parameters/schema.ts';
import { objectOf } from '../../parameters/structures.ts';
import { accountReferenceSchema, getAccount, requireAddress } from './accounts.ts';

/** Operations of an address that one response lists: at most, and by default. */
export const LISTED_OPERATIONS_MAX = 100;
const LISTED_OPERATIONS_DEFAULT = 25;

/** The position where a page ends, and the next one begins. */
const operationPlaceSchema = objectOf({
  blockNumber: boundedQuantity(BLOCK_NUMBER_MAX, 'as a block number'),
  transactionIndex: boundedQuantity(OPERATION_INDEX_MAX, 'as a position'),
});

const listedCountSchema = explained(
  optional(boundedQuantity(LISTED_OPERATIONS_MAX, 'operations'), LISTED_OPERATIONS_DEFAULT),
  {
    description: `Operations per page: ${LISTED_OPERATIONS_DEFAULT} by default, at most ${LISTED_OPERATIONS_MAX}.`,
  },
);

const operationPageShape = shape.object({
  operations: shape.array(listedOperationShape, LISTED_OPERATIONS_MAX),
  next: shape.described(
    shape.nullable(shape.object({ blockNumber: shape.quantity, transactionIndex: shape.quantity })),
    'The `before` of the next page; null on the last page.',
  ),
});

/** Returns what the object of an operation takes from its profile. */
function termsOf(
  { ledger, objects }: QueryContext,
  found: IncludedOperation | PendingOperation,
): OperationTerms {
  return { hash: objects.hash(found), perUnit: objects.perUnit(ledger) };
}

/** Lists the operations that involve an address, newest first. @param before absent: the newest */
function operationPage(
  context: QueryContext,
  address: Address,
  before: ReadBy<typeof operationPlaceSchema> | undefined,
  count: number,
) {
  const { ledger } = context;
  const from = before && { block: before.blockNumber, index: before.transactionIndex };
  const found = ledger.blocks.operationsOf({ address, order: 'newestFirst', from, limit: count + 1 });
  const operations: ListedOperationObject[] = found.slice(0, count).map(({ operation, isSender }) => {
    const receipt = ledger.blocks.receiptOutlineOf(operation.block.number, operation.index);
    return toListedOperation(operation, receipt, termsOf(context, operation), isSender);
  });
  const last = found[count - 1]?.operation;
  const isMore = found.length > count && last !== undefined;
  const next = isMore
    ? { blockNumber: quantity(last.block.number), transactionIndex: quantity(last.index) }
    : null;
  return { operations, next };
}

const getOperations = defineBlockQuery({
  name: 'ledger_getOperations',
  summary:
    'Returns the included operations that involve an address, newest first: it sent or received them, ' +
    'was created or is named by them, or wrote one of their logs.',
  parameters: [
    { name: 'account', schema: accountReferenceSchema },
    {
      name: 'before',
      schema: optional(operationPlaceSchema),
      summary: 'The `next` of the previous page; null for the first page.',
    },
    { name: 'count', schema: listedCountSchema },
  ],
  beforeFork: 'local',
  result: operationPageShape,
  errors: [ERRORS.noSuchAccount],
  differences: 'Calls and payments by code without a log are only in traces: use `trace_filter`.',
  handler: (context, [reference, before, count]) =>
    operationPage(context, requireAddress(context.ledger, reference), before, count),
});

const getOperation = defineMethod({
  name: 'ledger_getOperation',
  summary: 'Returns an operation with its native form and its transaction; null for an unknown hash.',
  section: 'blocks',
  parameters: [
    {
      name: 'transactionHash',
      schema: hashSchema,
      summary: 'Hash of the pending or the included form, or of the inner Ethereum transaction.',
    },
  ],
  beforeFork: 'local',
  result: shape.nullable(operationShape),
  differences: 'Ethereum has no such method.',
  handler: (context, [hash]) => {
    const { ledger } = context;
    const found = ledger.pool.findOperation(hash);
    if (found === undefined) return null;
    const transaction = ledger.pool.findTransaction(found.hash);
    invariant(transaction !== undefined, 'an operation that was found is in a transaction');
    const isIncluded = found.kind === 'included';
    const receipt = isIncluded ? ledger.blocks.receiptOutlineOf(found.block.number, found.index) : undefined;
    const addresses = isIncluded ? ledger.blocks.addressesOf(found) : [];
    return toOperation(found, transaction, receipt, addresses, termsOf(context, found));
  },
});

/** The methods that show accounts and their operations. */
export const OPERATION_METHODS: readonly MethodDefinition[] = [getAccount, getOperations, getOperation];
