/** Transactions, their results and the hashes over them. */

export { operationHash, transactionDigest, transactionId } from './transaction-hashes.ts';
export {
  type OperationResult,
  operationResultCodec,
  type ProcessedTransaction,
  processedTransactionCodec,
  type SignedTransaction,
  signedTransactionCodec,
  type Transaction,
  transactionCodec,
} from './transactions.ts';
