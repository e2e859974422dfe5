import type { BlockSummary, IncludedOperation, LedgerQueries, PendingOperation } from '../../ledger/index.ts';
import { bytesToHex, invariant, isEthereumTransaction, senderAddress } from '../../protocol/index.ts';
import {
  data,
  type EthereumBlockObject,
  type EthereumHeaderObject,
  type EthereumReceiptObject,
  type EthereumTransactionObject,
  ethereumHashOf,
  type Hexadecimal,
  type PendingTransactionObject,
  toEthereumBlock,
  toEthereumHeader,
  toEthereumReceipt,
  toEthereumTransaction,
} from '../../view/index.ts';
import type { QueryContext } from '../context/method-context.ts';
import type { JsonText } from '../json/json-text.ts';
import { rawTransaction } from '../transactions/raw-transaction.ts';

/** The block object of a number; null when there is none. */
export function ethereumBlockAt(
  context: QueryContext,
  number: number | undefined,
  fullTransactions: boolean,
): JsonText<EthereumBlockObject> | null {
  if (number === undefined) return null;
  const { ledger, ethereumIncluded } = context;
  const answers = fullTransactions ? ethereumIncluded.fullBlocks : ethereumIncluded.blocks;
  const known = answers.get(number);
  if (known !== undefined) return known;
  const block = ledger.blockByNumber(number);
  if (block === undefined) return null;
  return answers.of(number, () => {
    const operations = ledger.blockTransactions(number);
    const transactions = fullTransactions
      ? (operations.map((operation) =>
          transactionObject(context, operation),
        ) as EthereumBlockObject['transactions'])
      : operations.map((operation) => data(ethereumHashOf(operation)));
    return toEthereumBlock(block, ethereumIncluded.sumsOf(ledger, block), ledger.rules, transactions);
  });
}

/** The header object of a block; null where there is no block. */
export function ethereumHeaderOf(
  { ledger, ethereumIncluded }: QueryContext,
  block: BlockSummary | undefined,
): EthereumHeaderObject | null {
  if (block === undefined) return null;
  return toEthereumHeader(block, ethereumIncluded.sumsOf(ledger, block), ledger.rules);
}

/** The transaction object of an operation in a block or pending. */
export function transactionObject(
  context: QueryContext,
  operation: IncludedOperation | PendingOperation,
): EthereumTransactionObject {
  const { weiPerUnit } = context.ledger.rules;
  const nonce = (): number =>
    operation.kind === 'included' ? countBefore(context, operation) : countOf(context, operation);
  return toEthereumTransaction(operation, { weiPerUnit, nonce });
}

/** Makes the objects of operations that wait, with the nonces that are given, or as they would be alone. */
export function waitingTransaction(
  context: QueryContext,
): (operation: PendingOperation, nonce?: bigint) => PendingTransactionObject {
  return (operation, nonce) => {
    const { weiPerUnit } = context.ledger.rules;
    const object = toEthereumTransaction(operation, {
      weiPerUnit,
      nonce: () => nonce ?? countOf(context, operation),
    });
    invariant(object.blockHash === null, 'what waits is in no block');
    return object;
  };
}

/** The transaction object of an operation in a block, as text. */
export function includedEthereumTransaction(
  context: QueryContext,
  operation: IncludedOperation,
): JsonText<EthereumTransactionObject> {
  const key = bytesToHex(ethereumHashOf(operation));
  return context.ethereumIncluded.transactions.of(key, () => transactionObject(context, operation));
}

/** The transaction object at a position of a block; null when there is none. */
export function ethereumTransactionAt(
  context: QueryContext,
  block: BlockSummary | undefined,
  index: bigint,
): JsonText<EthereumTransactionObject> | null {
  const operation = operationIn(context.ledger, block, index);
  return operation === undefined ? null : includedEthereumTransaction(context, operation);
}

/** The receipt of an operation in a block; null where there is none. */
export function ethereumReceiptOf(
  { ledger, ethereumIncluded }: QueryContext,
  operation: IncludedOperation,
): JsonText<EthereumReceiptObject> | null {
  const { block, index } = operation;
  const receipt = ledger.receiptOf(block.number, index);
  if (receipt === undefined) return null;
  return ethereumIncluded.receipts.of(bytesToHex(ethereumHashOf(operation)), () => {
    const { cumulativeGas } = ethereumIncluded.sumsOf(ledger, block);
    return toEthereumReceipt(
      operation,
      receipt,
      cumulativeGas[index] ?? receipt.gasUsed,
      ledger.rules.weiPerUnit,
    );
  });
}

/** The bytes of the transaction at a position of a block; null when there is none. */
export function rawEthereumTransactionAt(
  ledger: LedgerQueries,
  block: BlockSummary | undefined,
  index: bigint,
): Hexadecimal | null {
  const operation = operationIn(ledger, block, index);
  if (operation === undefined) return null;
  const carried = rawEthereumTransaction(operation);
  return carried ?? rawTransaction(ledger.transactionAt(operation.block.number, operation.index));
}

/** The signed bytes of an Ethereum transaction; undefined of a native operation. */
export function rawEthereumTransaction({
  operation,
}: IncludedOperation | PendingOperation): Hexadecimal | undefined {
  return isEthereumTransaction(operation) ? data(operation.raw) : undefined;
}

function operationIn(
  ledger: LedgerQueries,
  block: BlockSummary | undefined,
  index: bigint,
): IncludedOperation | undefined {
  if (block === undefined || index >= BigInt(block.operationCount)) return undefined;
  return ledger.operationAt(block.number, Number(index));
}

/**
 * How many operations the payer of one had paid for before it, as far as the node knows: it keeps such counts (the
 * history plugin), and those of before the block (the undo records). Else 0.
 */
function countBefore(
  { ledger, ethereumIncluded }: QueryContext,
  { block, index }: IncludedOperation,
): number {
  if (!ledger.hasHistory || block.number <= ledger.oldestKept) return 0;
  const counts = ethereumIncluded.countsOf(block.number, () => countsBefore(ledger, block.number));
  return counts[index] ?? 0;
}

/** Operations in blocks that the payer of one that waits has paid for. */
function countOf({ ledger }: QueryContext, { operation }: PendingOperation): number {
  return ledger.hasHistory ? ledger.operationCount(senderAddress(operation)) : 0;
}

function countsBefore(ledger: LedgerQueries, block: number): number[] {
  const before = ledger.stateBefore(block);
  const counts = new Map<string, number>();
  return ledger.blockTransactions(block).map(({ operation }) => {
    const payer = senderAddress(operation);
    const name = bytesToHex(payer);
    const count = counts.get(name) ?? before.operationCount(payer);
    counts.set(name, count + 1);
    return count;
  });
}
