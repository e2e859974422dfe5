/** Transactions: signing, checking and applying them, and the pool in which they wait. */

export {
  type AppliedTransaction,
  applyInSteps,
  applyTransaction,
  type TransactionRules,
} from './apply-transaction.ts';
export { applyRebuilding, engineRefusal } from './engine-failure.ts';
export {
  carriedIn,
  ethereumEnvelope,
  placeHash,
  type SenderPlace,
  senderPlaceOf,
  shortened,
} from './ethereum-envelope.ts';
export { type DroppedTransaction, PendingPool } from './pending-pool.ts';
export { signTransaction, unsignedTransaction } from './signing.ts';
export { gasAtMost, gasOffered, referencePrefix, refuseTestOperations } from './transaction-checks.ts';
export { hexIdOf, type PendingPosition, readWaiting } from './waiting-transactions.ts';
