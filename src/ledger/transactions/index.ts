/** Transactions: signing, checking and applying them, and the pool in which they wait. */

export { type AppliedTransaction, applyInSteps, applyTransaction } from './apply-transaction.ts';
export { applyRebuilding, engineRefusal } from './engine-failure.ts';
export {
  type DroppedTransaction,
  hexIdOf,
  PendingPool,
  type PendingPosition,
  readWaiting,
} from './pending-pool.ts';
export { signTransaction } from './signing.ts';
export { gasOffered, referencePrefix } from './transaction-checks.ts';
