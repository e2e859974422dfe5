import type { BlockSummary, IncludedOperation, LedgerQueries } from '../../ledger/index.ts';
import { bytesToHex } from '../../protocol/index.ts';
import {
  type BlockObject,
  type Hexadecimal,
  type ReceiptObject,
  type TransactionObject,
  toBlock,
  toReceipt,
  toTransaction,
} from '../../view/index.ts';
import type { QueryContext } from '../context/method-context.ts';
import type { JsonText } from '../json/json-text.ts';
import { rawTransaction } from '../transactions/raw-transaction.ts';

/** The block object of a number; null when there is none. */
export function blockObject(
  { ledger, included }: QueryContext,
  number: number | undefined,
  fullTransactions: boolean,
): JsonText<BlockObject> | null {
  if (number === undefined) return null;
  const answers = fullTransactions ? included.fullBlocks : included.blocks;
  const known = answers.get(number);
  if (known !== undefined) return known;
  const block = ledger.blockByNumber(number);
  if (block === undefined) return null;
  return answers.of(number, () => toBlock(block, ledger.blockTransactions(number), fullTransactions));
}

/** The transaction object at a position of a block that was looked up; null when there is none. */
export function transactionAt(
  context: QueryContext,
  block: BlockSummary | undefined,
  index: bigint,
): JsonText<TransactionObject> | null {
  if (block === undefined || index >= BigInt(block.operationCount)) return null;
  const operation = context.ledger.operationAt(block.number, Number(index));
  return operation === undefined ? null : includedTransaction(context, operation);
}

/** The receipt of an operation in a block; null where there is none. */
export function includedReceipt(
  { ledger, included }: QueryContext,
  operation: IncludedOperation,
): JsonText<ReceiptObject> | null {
  const receipt = ledger.receiptOf(operation.block.number, operation.index);
  if (receipt === undefined) return null;
  return included.receipts.of(bytesToHex(operation.hash), () => toReceipt(operation, receipt));
}

/** The bytes of the transaction around the operation at a position of a block; null when there is none. */
export function rawTransactionAt(
  ledger: LedgerQueries,
  block: BlockSummary | undefined,
  index: bigint,
): Hexadecimal | null {
  if (block === undefined || index >= BigInt(block.operationCount)) return null;
  return rawTransaction(ledger.transactionAt(block.number, Number(index)));
}

/** The transaction object of an operation in a block. */
export function includedTransaction(
  { included }: QueryContext,
  operation: IncludedOperation,
): JsonText<TransactionObject> {
  return included.transactions.of(bytesToHex(operation.hash), () => toTransaction(operation));
}
