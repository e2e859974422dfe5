import type { BlockSummary, IncludedOperation, LedgerQueries } from '../../ledger/index.ts';
import { LOGS_AT_ONCE_MAX } from '../../limits.ts';
import { bytesToHex } from '../../protocol/index.ts';
import { data, type ReceiptObject, toHeader, toReceipt, toTransaction } from '../../view/index.ts';
import type { ResponseBody } from '../json/response-body.ts';
import type { QueryContext } from '../method-context.ts';
import { listPieces, operationsIn, readingOf } from '../response-cache/block-steps.ts';
import type { ProfileBlock, ProfileReceipt, ProfileTransaction } from '../response-cache/response-cache.ts';
import { NO_ADVICE, receiptSteps, withLogs, withoutLogs } from './receipt-steps.ts';

/** The block object of a number; null when there is none. */
export function blockObject(
  { ledger, responses }: QueryContext,
  number: number | undefined,
  fullTransactions: boolean,
): ResponseBody<ProfileBlock> | null {
  if (number === undefined) return null;
  const answers = fullTransactions ? responses.fullBlocks : responses.blocks;
  const known = answers.get(number);
  if (known !== undefined) return known;
  const block = ledger.blockByNumber(number);
  if (block === undefined) return null;
  const textOf = fullTransactions
    ? (operation: IncludedOperation) => JSON.stringify(toTransaction(operation))
    : (operation: IncludedOperation) => `"${data(operation.hash)}"`;
  return answers.inSteps(number, SINGLY, function* () {
    const check = readingOf(ledger, block);
    yield `${JSON.stringify(toHeader(block)).slice(0, -1)},"transactions":`;
    yield* listPieces(transactionTexts(ledger, block, textOf));
    yield '}';
    check();
  });
}

/** Advice to a caller who asks for more of a block than fits into one answer. */
export const SINGLY = 'ask for its transactions one by one';

function* transactionTexts(
  ledger: LedgerQueries,
  block: BlockSummary,
  textOf: (operation: IncludedOperation) => string,
): Generator<readonly string[]> {
  for (const operation of operationsIn(ledger, block)) yield [textOf(operation)];
}

/** The receipt of an operation in a block; null where there is none. */
export function includedReceipt(
  { ledger, responses }: QueryContext,
  operation: IncludedOperation,
): ResponseBody<ProfileReceipt> | null {
  const { block, index, hash } = operation;
  const key = bytesToHex(hash);
  const known = responses.receipts.get(key);
  if (known !== undefined) return known;
  const outline = ledger.receiptOutlineOf(block.number, index);
  if (outline === undefined) return null;
  if (outline.logCount <= LOGS_AT_ONCE_MAX) {
    return responses.receipts.of(key, () => toReceipt(operation, withLogs(outline)));
  }
  const empty = toReceipt(operation, withoutLogs(outline));
  const place = { block, operation: index, transactionHash: hash };
  return responses.receipts.inSteps(key, NO_ADVICE, () => receiptSteps(ledger, empty, place, outline));
}

/** The receipt of an operation in a block as if it had no logs. */
export function logFreeReceipt({ ledger }: QueryContext, operation: IncludedOperation): ReceiptObject | null {
  const outline = ledger.receiptOutlineOf(operation.block.number, operation.index);
  return outline === undefined ? null : toReceipt(operation, withoutLogs(outline));
}

/** The transaction object of an operation in a block. */
export function includedTransaction(
  { responses }: QueryContext,
  operation: IncludedOperation,
): ResponseBody<ProfileTransaction> {
  return responses.transactions.of(bytesToHex(operation.hash), () => toTransaction(operation));
}
