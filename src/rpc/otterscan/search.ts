import type { IncludedOperation, LedgerQueries } from '../../ledger/index.ts';
import {
  BLOCK_NUMBER_MAX,
  BLOCK_RECEIPTS_CHARACTERS_MAX,
  FOUND_OPERATIONS_MAX,
  OPERATION_INDEX_MAX,
} from '../../limits.ts';
import type { Address } from '../../protocol/index.ts';
import { TextPieces } from '../../text-pieces.ts';
import { arrayShape, flagShape, namedShape, objectShape, type Shape } from '../../view/index.ts';
import type { QueryContext } from '../context/method-context.ts';
import { LimitError } from '../envelope/errors.ts';
import { JsonText } from '../json/json-text.ts';
import type { ProfileObjects } from './profile-objects.ts';

const anyObject = (title: string): Shape<unknown> => ({ describe: () => ({ type: 'object', title }) });

/** Transactions of an address with their receipts. */
export const foundTransactionsShape = namedShape(
  'FoundTransactions',
  { title: 'transactions of an address, newest first' },
  objectShape({
    txs: arrayShape(anyObject('transaction object of the profile')),
    receipts: arrayShape(
      anyObject('receipt object of the profile, with the `timestamp` of its block as a number'),
    ),
    firstPage: flagShape,
    lastPage: flagShape,
  }),
);

/** What is looked for, and from where on. */
export interface TransactionSearch {
  readonly address: Address;
  /** Blocks before this one, or after it; 0: from the end of the chain that the search begins with. */
  readonly block: number;
  readonly order: 'newestFirst' | 'oldestFirst';
  /** How many at least, where there are so many: all that the address has in a block are found together. */
  readonly size: number;
}

/** The transactions of an address in whole blocks. @throws LimitError where one block has too many of them */
export function searchTransactions(
  context: QueryContext,
  objects: ProfileObjects,
  search: TransactionSearch,
): JsonText {
  const { operations, isMore } = findWholeBlocks(context.ledger, search);
  const isForward = search.order === 'oldestFirst';
  const isWhole = search.block === 0;
  if (isForward) operations.reverse();
  const out = new TextPieces();
  out.add('{"txs":[');
  let characters = 0;
  const list = (texts: Iterable<string>): void => {
    let separator = '';
    for (const text of texts) {
      characters += text.length;
      if (characters > BLOCK_RECEIPTS_CHARACTERS_MAX) throw tooLong();
      out.add(separator + text);
      separator = ',';
    }
  };
  list(operations.map((operation) => objects.transactionOf(context, operation).text));
  out.add('],"receipts":[');
  list(receiptTexts(context, objects, operations));
  const [firstPage, lastPage] = isForward ? [!isMore, isWhole] : [isWhole, !isMore];
  out.add(`],"firstPage":${firstPage},"lastPage":${lastPage}}`);
  return new JsonText(out);
}

function* receiptTexts(
  context: QueryContext,
  objects: ProfileObjects,
  operations: readonly IncludedOperation[],
): Generator<string> {
  for (const operation of operations) {
    const receipt = objects.receiptOf(context, operation);
    if (receipt !== null) {
      yield `${receipt.text.slice(0, -1)},"timestamp":${operation.block.header.timestamp}}`;
    }
  }
}

interface Found {
  readonly operations: IncludedOperation[];
  /** Whether there are further ones beyond. */
  readonly isMore: boolean;
}

/** In the order of the search. */
function findWholeBlocks(ledger: LedgerQueries, { address, block, order, size }: TransactionSearch): Found {
  const operations: IncludedOperation[] = [];
  let from = block === 0 ? undefined : startOf(block, order);
  while (true) {
    const found = ledger.operationsOf({ address, order, from, limit: size + 1 });
    for (const { operation } of found) {
      const last = operations.at(-1);
      if (operations.length >= size && operation.block.number !== last?.block.number) {
        return { operations, isMore: true };
      }
      operations.push(operation);
      if (operations.length > FOUND_OPERATIONS_MAX) throw tooLong();
    }
    const last = operations.at(-1);
    if (found.length <= size || last === undefined) return { operations, isMore: false };
    from = { block: last.block.number, index: last.index };
  }
}

/** The position that the blocks before one, or after it, begin at. */
function startOf(block: number, order: TransactionSearch['order']): { block: number; index: number } {
  if (order === 'oldestFirst') return { block, index: OPERATION_INDEX_MAX };
  return { block: Math.min(block, BLOCK_NUMBER_MAX), index: 0 };
}

function tooLong(): LimitError {
  return new LimitError(
    `a block has more than ${FOUND_OPERATIONS_MAX} transactions of the address, or they are too long for one answer: ` +
      'ledger_getOperations lists them page by page',
  );
}
