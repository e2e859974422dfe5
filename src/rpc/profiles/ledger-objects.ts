import type { BlockSummary, IncludedOperation, LedgerQueries } from '../../ledger/index.ts';
import { LOGS_AT_ONCE_MAX } from '../../limits.ts';
import { bytesToHex } from '../../protocol/index.ts';
import {
  blockShape,
  data,
  headerShape,
  receiptShape,
  toHeader,
  toReceipt,
  toTransaction,
  transactionShape,
} from '../../view/index.ts';
import { listPieces, operationsIn, readingOf } from '../blocks/block-steps.ts';
import { NO_ADVICE, receiptSteps, SINGLY, withLogs, withoutLogs } from '../blocks/receipts.ts';
import { flagSchema } from '../parameters/plain.ts';
import type { ObjectFormatters } from './profile.ts';

/** The objects of `/`, as the specification has them. */
export const LEDGER_OBJECTS: ObjectFormatters = {
  blockShape,
  headerShape,
  transactionShape,
  receiptShape,
  fullTransactions: flagSchema,
  block: ({ ledger, responses }, number, fullTransactions) => {
    if (number === undefined) return null;
    const cache = fullTransactions ? responses.fullBlocks : responses.blocks;
    const known = cache.get(number);
    if (known !== undefined) return known;
    const block = ledger.blocks.blockByNumber(number);
    if (block === undefined) return null;
    const textOf = fullTransactions
      ? (operation: IncludedOperation) => JSON.stringify(toTransaction(operation))
      : (operation: IncludedOperation) => `"${data(operation.hash)}"`;
    return cache.inSteps(number, SINGLY, function* () {
      const check = readingOf(ledger, block);
      yield `${JSON.stringify(toHeader(block)).slice(0, -1)},"transactions":`;
      yield* listPieces(transactionTexts(ledger, block, textOf));
      yield '}';
      check();
    });
  },
  header: (_, block) => toHeader(block),
  transaction: ({ responses }, operation) =>
    responses.transactions.of(bytesToHex(operation.hash), () => toTransaction(operation)),
  pendingTransactionShape: transactionShape,
  pendingTransaction: (_, operation) => toTransaction(operation),
  receipt: ({ ledger, responses }, operation) => {
    const { block, index, hash } = operation;
    const key = bytesToHex(hash);
    const known = responses.receipts.get(key);
    if (known !== undefined) return known;
    const outline = ledger.blocks.receiptOutlineOf(block.number, index);
    if (outline === undefined) return null;
    if (outline.logCount <= LOGS_AT_ONCE_MAX) {
      return responses.receipts.of(key, () => toReceipt(operation, withLogs(outline)));
    }
    const empty = toReceipt(operation, withoutLogs(outline));
    const position = { block, operation: index, transactionHash: hash };
    return responses.receipts.inSteps(key, NO_ADVICE, () => receiptSteps(ledger, empty, position, outline));
  },
  hash: ({ hash }) => data(hash),
  acceptedHash: (_, hash) => data(hash),
  // biome-ignore lint/correctness/useYield: it takes no steps here.
  *logFreeReceipt({ ledger }, operation) {
    const outline = ledger.blocks.receiptOutlineOf(operation.block.number, operation.index);
    return outline === undefined ? null : toReceipt(operation, withoutLogs(outline));
  },
  // biome-ignore lint/correctness/useYield: as above.
  *blockFields(_, block) {
    return toHeader(block);
  },
  logs: (_, logs) => logs,
  carriedBytes: () => undefined,
};

function* transactionTexts(
  ledger: LedgerQueries,
  block: BlockSummary,
  textOf: (operation: IncludedOperation) => string,
): Generator<readonly string[]> {
  for (const operation of operationsIn(ledger, block)) yield [textOf(operation)];
}
