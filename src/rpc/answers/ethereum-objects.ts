import type { BlockSummary, IncludedOperation, LedgerQueries, PendingOperation } from '../../ledger/index.ts';
import { LOGS_AT_ONCE_MAX, TRANSACTIONS_AT_ONCE_MAX } from '../../limits.ts';
import { bytesToHex, invariant, isEthereumTransaction, senderAddress } from '../../protocol/index.ts';
import {
  data,
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
import { ResponseBody } from '../json/response-body.ts';
import { stepped, TextSteps } from '../json/text-steps.ts';
import type { QueryContext } from '../method-context.ts';
import { listPieces, operationsIn, readingOf } from '../response-cache/block-steps.ts';
import type { ProfileBlock, ProfileReceipt, ProfileTransaction } from '../response-cache/response-cache.ts';
import { SINGLY } from './ledger-objects.ts';
import { NO_ADVICE, receiptSteps, withLogs, withoutLogs } from './receipt-steps.ts';

/** The block object of a number; null when there is none. */
export function ethereumBlockAt(
  context: QueryContext,
  number: number | undefined,
  fullTransactions: boolean,
): ResponseBody<ProfileBlock> | null {
  if (number === undefined) return null;
  const { ledger, responses, blockFacts } = context;
  const answers = fullTransactions ? responses.fullBlocks : responses.blocks;
  const known = answers.get(number);
  if (known !== undefined) return known;
  const block = ledger.blockByNumber(number);
  if (block === undefined) return null;
  return answers.inSteps(number, SINGLY, function* () {
    const check = readingOf(ledger, block);
    const facts = yield* blockFacts.factSteps(ledger, block);
    const empty = JSON.stringify(toEthereumBlock(block, facts, ledger.rules, []));
    yield empty.slice(0, -NO_TRANSACTIONS.length);
    yield* listPieces(transactionTexts(context, block, fullTransactions));
    yield '}';
    check();
  });
}

/** The end of a block object without transactions. */
const NO_TRANSACTIONS = '[]}';

function* transactionTexts(
  context: QueryContext,
  block: BlockSummary,
  fullTransactions: boolean,
): Generator<Iterable<string>> {
  for (const operation of operationsIn(context.ledger, block)) {
    yield fullTransactions ? transactionSteps(context, operation) : [`"${data(ethereumHashOf(operation))}"`];
  }
}

/** Writes the transaction object of an operation in a block. @throws RequestFailedError */
function* transactionSteps(context: QueryContext, operation: IncludedOperation): Generator<string, void> {
  const check = readingOf(context.ledger, operation.block);
  const counts = yield* countSteps(context, operation);
  yield JSON.stringify(transactionObject(context, operation, counts));
  check();
}

/** The header object of a block, written in steps. */
export function ethereumHeaderText(
  context: QueryContext,
  block: BlockSummary,
): ResponseBody<EthereumHeaderObject> {
  const { ledger, blockFacts } = context;
  const write = function* (): Generator<string, void> {
    const facts = yield* blockFacts.factSteps(ledger, block);
    yield JSON.stringify(toEthereumHeader(block, facts, ledger.rules));
  };
  return new ResponseBody<EthereumHeaderObject>(new TextSteps(write(), { advice: NO_ADVICE }));
}

/**
 * The transaction object of an operation in a block or pending.
 *
 * @param counts what `countSteps` gives for its block
 */
export function transactionObject(
  context: QueryContext,
  operation: IncludedOperation | PendingOperation,
  counts?: readonly number[],
): EthereumTransactionObject {
  const { weiPerUnit } = context.ledger.rules;
  const nonce = (): number => {
    if (operation.kind === 'pending') return countOf(context, operation);
    return (counts ?? stepped(countSteps(context, operation)))[operation.index] ?? 0;
  };
  return toEthereumTransaction(operation, { weiPerUnit, nonce });
}

/** The object of an operation that waits, with the nonce that is given, or as it would be alone. */
export function waitingTransaction(
  context: QueryContext,
  operation: PendingOperation,
  nonce?: bigint,
): PendingTransactionObject {
  const object = toEthereumTransaction(operation, {
    weiPerUnit: context.ledger.rules.weiPerUnit,
    nonce: () => nonce ?? countOf(context, operation),
  });
  invariant(object.blockHash === null, 'what waits is in no block');
  return object;
}

/** The transaction object of an operation in a block, as text. */
export function includedEthereumTransaction(
  context: QueryContext,
  operation: IncludedOperation,
): ResponseBody<ProfileTransaction> {
  const { transactions } = context.responses;
  const key = bytesToHex(ethereumHashOf(operation));
  if (operation.block.operationCount <= TRANSACTIONS_AT_ONCE_MAX) {
    return transactions.of(key, () => transactionObject(context, operation));
  }
  return transactions.inSteps(key, NO_ADVICE, () => transactionSteps(context, operation));
}

/** The receipt of an operation in a block; null where there is none. */
export function ethereumReceiptOf(
  { ledger, responses, blockFacts }: QueryContext,
  operation: IncludedOperation,
): ResponseBody<ProfileReceipt> | null {
  const { block, index } = operation;
  const hash = ethereumHashOf(operation);
  const key = bytesToHex(hash);
  const known = responses.receipts.get(key);
  if (known !== undefined) return known;
  const outline = ledger.receiptOutlineOf(block.number, index);
  if (outline === undefined) return null;
  const { weiPerUnit } = ledger.rules;
  const gas = blockFacts.gasOf(ledger, block);
  const used = (sums: readonly bigint[]): bigint => sums[index] ?? outline.gasUsed;
  if (gas !== undefined && outline.logCount <= LOGS_AT_ONCE_MAX) {
    return responses.receipts.of(key, () =>
      toEthereumReceipt(operation, withLogs(outline), used(gas), weiPerUnit),
    );
  }
  return responses.receipts.inSteps(key, NO_ADVICE, function* () {
    const sums = yield* blockFacts.gasSteps(ledger, block);
    const empty = toEthereumReceipt(operation, withoutLogs(outline), used(sums), weiPerUnit);
    yield* receiptSteps(ledger, empty, { block, operation: index, transactionHash: hash }, outline);
  });
}

/** The receipt of an operation in a block as if it had no logs, in steps. */
export function* logFreeEthereumReceipt(
  { ledger, blockFacts }: QueryContext,
  operation: IncludedOperation,
): Generator<string, EthereumReceiptObject | null> {
  const { block, index } = operation;
  const gas = yield* blockFacts.gasSteps(ledger, block);
  const outline = ledger.receiptOutlineOf(block.number, index);
  if (outline === undefined) return null;
  const used = gas[index] ?? outline.gasUsed;
  return toEthereumReceipt(operation, withoutLogs(outline), used, ledger.rules.weiPerUnit);
}

/** The signed bytes of an Ethereum transaction; undefined of a native operation. */
export function rawEthereumTransaction({
  operation,
}: IncludedOperation | PendingOperation): Hexadecimal | undefined {
  return isEthereumTransaction(operation) ? data(operation.raw) : undefined;
}

/**
 * Counts the operations that the payer of each operation of a block had paid for before it, as far as the operation
 * tells no nonce and the node knows: it keeps such counts (the history plugin), and those of before the block (the
 * undo records).
 */
function* countSteps(
  { ledger, blockFacts }: QueryContext,
  { block, operation }: IncludedOperation,
): Generator<string, readonly number[]> {
  const { number } = block;
  if (isEthereumTransaction(operation) || !ledger.hasHistory || number <= ledger.oldestKept) return [];
  return yield* blockFacts.countSteps(number, () => countsBefore(ledger, block));
}

/** Operations in blocks that the payer of one that waits has paid for. */
function countOf({ ledger }: QueryContext, { operation }: PendingOperation): number {
  return ledger.hasHistory ? ledger.operationCount(senderAddress(operation)) : 0;
}

function* countsBefore(ledger: LedgerQueries, block: BlockSummary): Generator<string, readonly number[]> {
  const counts = new Map<string, number>();
  const before: number[] = [];
  for (const { operation } of operationsIn(ledger, block)) {
    const payer = senderAddress(operation);
    const name = bytesToHex(payer);
    const count = counts.get(name) ?? ledger.stateBefore(block.number).operationCount(payer);
    counts.set(name, count + 1);
    before.push(count);
    yield '';
  }
  return before;
}
