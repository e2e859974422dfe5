import { BLOCK_NUMBER_MAX, OPERATION_INDEX_MAX } from '../../../consensus.ts';
import { shape } from '../../../formatters/index.ts';
import type { IncludedOperation, IncludedPosition, LedgerQueries } from '../../../ledger/index.ts';
import { type Address, invariant } from '../../../protocol/index.ts';
import { listPieces, revertCheck } from '../../blocks/block-operations.ts';
import { LogCounter } from '../../blocks/receipts.ts';
import type { ResponseBody } from '../../json/response-body.ts';
import { writtenInPieces } from '../../json/text-in-pieces.ts';
import type { QueryContext } from '../../method-context.ts';
import { LimitError } from '../../rpc-errors.ts';

/** Operations of an address that one response lists if it does not distinguish those of a block. */
const FOUND_OPERATIONS_MAX = 10_000;

/** Transactions of an address with their receipts. */
export const foundTransactionsShape = shape.named(
  'FoundTransactions',
  { title: 'transactions of an address, newest first' },
  shape.object({
    txs: shape.array(shape.anyObject({ title: 'transaction object of the profile' })),
    receipts: shape.array(
      shape.anyObject({
        title: 'receipt object of the profile, with the `timestamp` of its block as a number',
      }),
    ),
    firstPage: shape.flag,
    lastPage: shape.flag,
  }),
);

interface TransactionSearch {
  readonly address: Address;
  /** The search covers blocks before this one, or after it; 0: all blocks. */
  readonly block: number;
  readonly order: 'newestFirst' | 'oldestFirst';
  /** The least number of transactions, where there are so many: those of one block are found together. */
  readonly size: number;
}

/** Writes the transactions of an address in whole blocks, in steps, which throw LimitError for too many. */
export function searchTransactions(context: QueryContext, search: TransactionSearch): ResponseBody {
  const isForward = search.order === 'oldestFirst';
  const isWhole = search.block === 0;
  const write = function* (): Generator<string, void> {
    const { positions, isMore, check } = yield* findWholeBlocks(context.ledger, search);
    const counter = new LogCounter(context, ADVICE);
    for (const { block, index } of positions) {
      counter.add(block, index);
      yield '';
      check();
    }
    if (isForward) positions.reverse();
    yield '{"txs":';
    const transactionOf = (operation: IncludedOperation) =>
      context.objects.transaction(context, operation).pieces();
    yield* listPieces(eachOperation(context, positions, check, transactionOf));
    yield ',"receipts":';
    yield* listPieces(eachOperation(context, positions, check, (operation) => receiptOf(context, operation)));
    const [firstPage, lastPage] = isForward ? [!isMore, isWhole] : [isWhole, !isMore];
    yield `,"firstPage":${firstPage},"lastPage":${lastPage}}`;
  };
  return writtenInPieces(write(), ADVICE);
}

const ADVICE = 'request fewer transactions; ledger_getOperations lists them without logs';

/** Yields the texts of operations, each in pieces. @throws RequestFailedError once `check` does */
export function* eachOperation(
  { ledger }: QueryContext,
  positions: readonly IncludedPosition[],
  check: () => void,
  write: (operation: IncludedOperation) => Iterable<string>,
): Generator<Iterable<string>, void> {
  for (const { block, index } of positions) {
    const operation = ledger.blocks.operationAt(block, index);
    if (operation !== undefined) yield write(operation);
    check();
  }
}

/** Writes a receipt with the time of its block. */
function* receiptOf(context: QueryContext, operation: IncludedOperation): Generator<string, void> {
  const receipt = context.objects.receipt(context, operation);
  invariant(receipt !== null, 'every operation of a block has a receipt');
  let last = '';
  for (const piece of receipt.pieces()) {
    yield last;
    last = piece;
  }
  yield `${last.slice(0, -1)},"timestamp":${operation.block.header.timestamp}}`;
}

interface Found {
  readonly positions: IncludedPosition[];
  /** True if the address has further ones. */
  readonly isMore: boolean;
  /** Throws RequestFailedError once one of them is reverted. */
  check(): void;
}

/** Returns them in the order of the search. @throws LimitError, RequestFailedError */
function* findWholeBlocks(
  ledger: LedgerQueries,
  { address, block, order, size }: TransactionSearch,
): Generator<string, Found> {
  const positions: IncludedPosition[] = [];
  let check: () => void = () => undefined;
  let from = block === 0 ? undefined : startOf(block, order);
  while (true) {
    const found = ledger.blocks.operationPositions({ address, order, from, limit: size + 1 });
    // With the newest block all others of them stay.
    const ends = [positions[0], found[0], found.at(-1)].map((position) => position?.block ?? 0);
    const newest = ledger.blocks.blockByNumber(Math.max(...ends));
    if (newest !== undefined) check = revertCheck(ledger, newest);
    for (const { block: number, index } of found) {
      const last = positions.at(-1);
      if (positions.length >= size && number !== last?.block) return { positions, isMore: true, check };
      positions.push({ block: number, index });
      if (positions.length > FOUND_OPERATIONS_MAX) {
        throw new LimitError(
          `a block has more than ${FOUND_OPERATIONS_MAX} transactions of the address, the limit of one response: ` +
            'ledger_getOperations lists them page by page',
        );
      }
    }
    const last = positions.at(-1);
    if (found.length <= size || last === undefined) return { positions, isMore: false, check };
    from = last;
    yield '';
    check();
  }
}

/** Returns the first position of the blocks before one, or after it. */
function startOf(block: number, order: TransactionSearch['order']): { block: number; index: number } {
  if (order === 'oldestFirst') return { block, index: OPERATION_INDEX_MAX };
  return { block: Math.min(block, BLOCK_NUMBER_MAX), index: 0 };
}
