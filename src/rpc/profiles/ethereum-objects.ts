import { bytesToHex } from '../../protocol/index.ts';
import {
  data,
  ethereumBlockShape,
  ethereumHashOf,
  ethereumHeaderShape,
  ethereumLogs,
  ethereumReceiptShape,
  ethereumTransactionShape,
  logsBloom,
  pendingTransactionShape,
  quantity,
  toEthereumHeader,
} from '../../view/index.ts';
import {
  ethereumBlockAt,
  ethereumHeaderText,
  ethereumReceiptOf,
  includedEthereumTransaction,
  logFreeEthereumReceipt,
  rawEthereumTransaction,
  waitingTransaction,
} from '../answers/ethereum-objects.ts';
import { flagSchema } from '../parameters/plain.ts';
import { optional } from '../parameters/schema.ts';
import type { ObjectFormatters } from './profile.ts';

const NO_BLOOM = logsBloom([]);

/** The objects of `/ethereum`, as Ethereum's Execution APIs have them. */
export const ETHEREUM_OBJECTS: ObjectFormatters = {
  blockShape: ethereumBlockShape,
  headerShape: ethereumHeaderShape,
  transactionShape: ethereumTransactionShape,
  receiptShape: ethereumReceiptShape,
  fullTransactions: optional(flagSchema, false),
  block: ethereumBlockAt,
  header: ethereumHeaderText,
  transaction: includedEthereumTransaction,
  pendingTransactionShape,
  pendingTransaction: waitingTransaction,
  cachedTransaction: ({ responses }, hash) => responses.transactions.get(bytesToHex(hash)),
  receipt: ethereumReceiptOf,
  cachedReceipt: ({ responses }, hash) => responses.receipts.get(bytesToHex(hash)),
  hash: (operation) => data(ethereumHashOf(operation)),
  // An operation that was replaced or dropped since has no hash any more that a client could look up.
  acceptedHash: (ledger, hash) => {
    const found = ledger.findOperation(hash);
    return found && data(ethereumHashOf(found.kind === 'pending' ? found : { ...found, hash }));
  },
  logFreeReceipt: logFreeEthereumReceipt,
  *blockFields({ ledger, blockFacts }, block) {
    const gas = yield* blockFacts.gasSteps(ledger, block);
    const facts = { gasUsed: gas.at(-1) ?? 0n, logsBloom: NO_BLOOM };
    return {
      ...toEthereumHeader(block, facts, ledger.rules),
      size: quantity(block.size),
      totalDifficulty: quantity(0),
      uncles: [],
    };
  },
  logs: (ledger, logs) =>
    ethereumLogs(logs, ({ block, operation }) => ledger.operationAt(block.number, operation)),
  carriedBytes: rawEthereumTransaction,
};
