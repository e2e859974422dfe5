import type { SignedTransaction } from '../../protocol/index.ts';
import type { Store } from '../../store/index.ts';
import { RefusedError, refuse } from '../errors/refusal.ts';
import { blobFeeCapOf, feeCapOf } from '../operations/ethereum-transaction.ts';
import type { WorkingState } from '../state/working-state.ts';
import { blobsIn, envelopeIn, type SenderNonce } from './ethereum-envelope.ts';
import type { ExecutedTransaction } from './executed-transactions.ts';
import type { PendingTransaction } from './pending-transactions.ts';
import type { TipOf } from './prices.ts';

export type PendingStore = Pick<
  Store,
  'pendingTransactions' | 'addPending' | 'together' | 'removePending' | 'sidecars'
>;

/** The rules of the next block for pending transactions. */
export interface PendingRules {
  /** Applies a transaction to the pool's state for the next block. Throws `RefusedError`. */
  apply(state: WorkingState, transaction: SignedTransaction): ExecutedTransaction;
  /** Returns the base fee of the next block, in wei. */
  baseFee(): bigint;
  /** Returns the base fee of blob gas of the next block, in wei. */
  blobBaseFee(): bigint;
  /** Returns the function of tips in the next block; undefined on a chain where all pay the same. */
  tips(): TipOf | undefined;
}

/** Codes of rejections that a later block may not have: lower nonces are missing, or the base fee is too high. */
export const EARLY: ReadonlySet<string> = new Set(['nonceTooHigh', 'feeCapTooLow', 'blobFeeCapTooLow']);

/** A new transaction as it was executed, or the reason that it was not: pending ones precede it, or a nonce gap. */
export type FirstStep = ExecutedTransaction | 'behind' | 'queued';

/** A transaction that left the pool for a new one. */
export interface RemovedTransaction {
  readonly pending: PendingTransaction;
  readonly code: 'replaced' | 'displaced';
}

/** A transaction that was added, and those that it replaced or evicted. */
export interface Addition {
  readonly id: string;
  readonly removed: readonly RemovedTransaction[];
}

/** Returns true for a rejection that a later block may not have. */
export function isEarly(error: unknown): error is RefusedError {
  if (!(error instanceof RefusedError)) return false;
  return EARLY.has(error.reason.code);
}

/** Returns true if the fee caps of an Ethereum transaction reach the base fees of the next block. */
export function canPay(
  transaction: SignedTransaction,
  rules: Pick<PendingRules, 'baseFee' | 'blobBaseFee'>,
): boolean {
  const envelope = envelopeIn(transaction);
  if (envelope === undefined) return true;
  const blobFeeCap = blobFeeCapOf(envelope.innerTransaction);
  if (blobFeeCap !== undefined && blobFeeCap < rules.blobBaseFee()) return false;
  return feeCapOf(envelope.innerTransaction) >= rules.baseFee();
}

/** Throws `RefusedError` for a blob transaction behind a nonce gap, as geth's pool does. @param expected next nonce */
export function refuseBlobGap(
  transaction: SignedTransaction,
  { sender, nonce }: SenderNonce,
  expected: bigint,
): void {
  if (blobsIn(transaction) > 0) refuse({ code: 'nonceTooHigh', sender, nonce, expected });
}
