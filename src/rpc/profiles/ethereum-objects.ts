import {
  type EthereumHeaderObject,
  type EthereumTransactionObject,
  ethereumBlockShape,
  ethereumHashOf,
  ethereumHeaderShape,
  ethereumLogs,
  ethereumReceiptShape,
  ethereumTransactionShape,
  logsBloom,
  pendingTransactionShape,
  type Shape,
  toEthereumBlock,
  toEthereumHeader,
  toEthereumReceipt,
  toEthereumTransaction,
} from '../../formatters/index.ts';
import type { BlockSummary, IncludedOperation, LedgerQueries, PendingOperation } from '../../ledger/index.ts';
import {
  bytesToHex,
  invariant,
  isEthereumTransaction,
  quantity,
  senderAddress,
  toPrefixedHex,
} from '../../protocol/index.ts';
import { completeJob } from '../../time/job.ts';
import { listPieces, operationsIn, revertCheck } from '../blocks/block-operations.ts';
import { NO_ADVICE, withLogs, withoutLogs, writeReceipt } from '../blocks/receipts.ts';
import { writtenInPieces } from '../json/text-in-pieces.ts';
import type { ObjectFormatters, ProfileHeader, QueryContext } from '../method-context.ts';
import { hasTries, LOGS_AT_ONCE_MAX, TRANSACTIONS_AT_ONCE_MAX } from '../response-cache/block-facts-cache.ts';
import type { ProfileBlock, ProfileReceipt, ProfileTransaction } from '../response-cache/response-cache.ts';

const NO_BLOOM = logsBloom([]);
/** End of a block object without transactions. */
const NO_TRANSACTIONS = '[]}';

/** The shapes of the objects, of which the native interface returns its own. */
export const SHAPES = {
  block: ethereumBlockShape as Shape<ProfileBlock>,
  header: ethereumHeaderShape as Shape<ProfileHeader>,
  transaction: ethereumTransactionShape as Shape<ProfileTransaction>,
  pendingTransaction: pendingTransactionShape as Shape<ProfileTransaction>,
  receipt: ethereumReceiptShape as Shape<ProfileReceipt>,
};

/** The objects of `/ethereum`, in the form of Ethereum's Execution APIs. */
export const ETHEREUM_OBJECTS: ObjectFormatters = {
  block: (context, number, fullTransactions) =>
    context.responses.block(number, fullTransactions, function* (block) {
      const { ledger, blockFacts } = context;
      const facts = yield* blockFacts.factsJob(ledger, block);
      const empty = JSON.stringify(toEthereumBlock(block, facts, ledger.parameters.rules, []));
      yield empty.slice(0, -NO_TRANSACTIONS.length);
      yield* listPieces(transactionTexts(context, block, fullTransactions));
      yield '}';
    }),
  header: ({ ledger, blockFacts }, block) => {
    const write = function* (): Generator<string, void> {
      const facts = yield* blockFacts.factsJob(ledger, block);
      yield JSON.stringify(toEthereumHeader(block, facts, ledger.parameters.rules));
    };
    return writtenInPieces<EthereumHeaderObject>(write(), NO_ADVICE);
  },
  transaction: (context, operation) => {
    const { transactions } = context.responses;
    const key = bytesToHex(ethereumHashOf(operation));
    if (operation.block.operationCount <= TRANSACTIONS_AT_ONCE_MAX) {
      return transactions.of(key, () => transactionObject(context, operation));
    }
    return transactions.getOrWrite(key, NO_ADVICE, () => transactionPieces(context, operation));
  },
  pendingTransaction: (context, operation, nonce) => {
    const object = toEthereumTransaction(operation, {
      weiPerUnit: context.ledger.parameters.rules.weiPerUnit,
      price: undefined,
      nonce: () => nonce ?? countOf(context, operation),
    });
    invariant(object.blockHash === null, 'a pending transaction is in no block');
    return object;
  },
  receipt: ({ ledger, responses, blockFacts }, operation) => {
    const { block, index } = operation;
    const hash = ethereumHashOf(operation);
    const key = bytesToHex(hash);
    const known = responses.receipts.get(key);
    if (known !== undefined) return known;
    const outline = ledger.blocks.receiptOutlineOf(block.number, index);
    if (outline === undefined) return null;
    const prices = pricesOf(ledger, operation);
    const gas = blockFacts.gasOf(ledger, block);
    const used = (sums: readonly bigint[]): bigint => sums[index] ?? outline.gasUsed;
    if (gas !== undefined && outline.logCount <= LOGS_AT_ONCE_MAX) {
      return responses.receipts.of(key, () =>
        toEthereumReceipt(operation, withLogs(outline), used(gas), prices),
      );
    }
    return responses.receipts.getOrWrite(key, NO_ADVICE, function* () {
      const sums = yield* blockFacts.gasJob(ledger, block);
      const empty = toEthereumReceipt(operation, withoutLogs(outline), used(sums), prices);
      yield* writeReceipt(ledger, empty, { block, operation: index, transactionHash: hash }, outline);
    });
  },
  perUnit: ({ parameters: { rules } }) => rules.weiPerUnit,
  hash: (operation) => toPrefixedHex(ethereumHashOf(operation)),
  // A replaced or dropped operation has no hash that a client could look up.
  acceptedHash: (ledger, hash) => {
    const found = ledger.pool.findOperation(hash);
    return found && toPrefixedHex(ethereumHashOf(found.kind === 'pending' ? found : { ...found, hash }));
  },
  *logFreeReceipt({ ledger, blockFacts }, operation) {
    const { block, index } = operation;
    const gas = yield* blockFacts.gasJob(ledger, block);
    const outline = ledger.blocks.receiptOutlineOf(block.number, index);
    if (outline === undefined) return null;
    const used = gas[index] ?? outline.gasUsed;
    return toEthereumReceipt(operation, withoutLogs(outline), used, pricesOf(ledger, operation));
  },
  *blockFields({ ledger, blockFacts }, block) {
    const gas = yield* blockFacts.gasJob(ledger, block);
    const { roots } = hasTries(block) ? yield* blockFacts.factsJob(ledger, block) : {};
    const gasUsed = gas.at(-1) ?? 0n;
    const values = { ...ledger.prices.of(block), ...ledger.prices.settings(block) };
    const facts = { gasUsed, logsBloom: NO_BLOOM, roots, ...values };
    return {
      ...toEthereumHeader(block, facts, ledger.parameters.rules),
      size: quantity(block.size),
      totalDifficulty: quantity(0),
      uncles: [],
    };
  },
  logs: (ledger, logs) =>
    ethereumLogs(logs, ({ block, operation }) => ledger.blocks.operationAt(block.number, operation)),
  innerTransactionBytes: ({ operation }) =>
    isEthereumTransaction(operation) ? toPrefixedHex(operation.raw) : undefined,
};

function* transactionTexts(
  context: QueryContext,
  block: BlockSummary,
  fullTransactions: boolean,
): Generator<Iterable<string>> {
  for (const operation of operationsIn(context.ledger, block)) {
    yield fullTransactions
      ? transactionPieces(context, operation)
      : [`"${toPrefixedHex(ethereumHashOf(operation))}"`];
  }
}

/** Writes the transaction object of an operation in a block, in steps. @throws RequestFailedError */
function* transactionPieces(context: QueryContext, operation: IncludedOperation): Generator<string, void> {
  const check = revertCheck(context.ledger, operation.block);
  const counts = yield* countsJob(context, operation);
  yield JSON.stringify(transactionObject(context, operation, counts));
  check();
}

/** Returns the prices that a receipt shows. */
function pricesOf({ prices }: LedgerQueries, operation: IncludedOperation) {
  return {
    gasPrice: prices.paidBy(operation),
    blobGasPrice: () => prices.ofBlobGas(operation.block),
  };
}

/** Returns the transaction object of an operation in a block. @param counts result of `countsJob` for the block */
export function transactionObject(
  context: QueryContext,
  operation: IncludedOperation,
  counts?: readonly number[],
): EthereumTransactionObject {
  const { ledger } = context;
  const { weiPerUnit } = ledger.parameters.rules;
  const price = ledger.prices.paidBy(operation);
  const nonce = (): number => (counts ?? completeJob(countsJob(context, operation)))[operation.index] ?? 0;
  return toEthereumTransaction(operation, { weiPerUnit, price, nonce });
}

/**
 * Counts the earlier operations of the payer of each operation of a block: the nonces of native operations. Returns an
 * empty array for an Ethereum transaction, which has a nonce, and for a node without the history plugin or without the
 * undo records of the block.
 */
function* countsJob(
  { ledger, blockFacts }: QueryContext,
  { block, operation }: IncludedOperation,
): Generator<string, readonly number[]> {
  const { number } = block;
  if (isEthereumTransaction(operation) || !ledger.accounts.hasHistory || number <= ledger.history.oldestState)
    return [];
  return yield* blockFacts.countsJob(number, () => countsBefore(ledger, block));
}

/** Returns the number of included operations of the payer of a pending operation. */
function countOf({ ledger }: QueryContext, { operation }: PendingOperation): number {
  return ledger.accounts.hasHistory ? ledger.accounts.operationCount(senderAddress(operation)) : 0;
}

function* countsBefore(ledger: LedgerQueries, block: BlockSummary): Generator<string, readonly number[]> {
  const counts = new Map<string, number>();
  const before: number[] = [];
  for (const { operation } of operationsIn(ledger, block)) {
    const payer = senderAddress(operation);
    const name = bytesToHex(payer);
    const count = counts.get(name) ?? ledger.history.stateBefore(block.number).accounts.operationCount(payer);
    counts.set(name, count + 1);
    before.push(count);
    yield '';
  }
  return before;
}
