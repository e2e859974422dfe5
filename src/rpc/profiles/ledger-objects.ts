import { bytesToHex } from '../../protocol/index.ts';
import {
  blockShape,
  data,
  headerShape,
  receiptShape,
  toHeader,
  toTransaction,
  transactionShape,
} from '../../view/index.ts';
import {
  blockObject,
  includedReceipt,
  includedTransaction,
  logFreeReceipt,
} from '../answers/ledger-objects.ts';
import { flagSchema } from '../parameters/plain.ts';
import type { ObjectFormatters } from './profile.ts';

/** The objects of `/`, as the specification has them. */
export const LEDGER_OBJECTS: ObjectFormatters = {
  blockShape,
  headerShape,
  transactionShape,
  receiptShape,
  fullTransactions: flagSchema,
  block: blockObject,
  header: (_, block) => toHeader(block),
  transaction: includedTransaction,
  pendingTransactionShape: transactionShape,
  pendingTransaction: (_, operation) => toTransaction(operation),
  cachedTransaction: ({ responses }, hash) => responses.transactions.get(bytesToHex(hash)),
  receipt: includedReceipt,
  cachedReceipt: ({ responses }, hash) => responses.receipts.get(bytesToHex(hash)),
  hash: ({ hash }) => data(hash),
  acceptedHash: (_, hash) => data(hash),
  // biome-ignore lint/correctness/useYield: it takes no steps here.
  *logFreeReceipt(context, operation) {
    return logFreeReceipt(context, operation);
  },
  // biome-ignore lint/correctness/useYield: as above.
  *blockFields(_, block) {
    return toHeader(block);
  },
  logs: (_, logs) => logs,
  carriedBytes: () => undefined,
};
