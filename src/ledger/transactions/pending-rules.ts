import type { SignedTransaction } from '../../protocol/index.ts';
import { RefusedError } from '../errors/refusal.ts';
import { feeCapOf } from '../operations/ethereum-transaction.ts';
import type { WorkingState } from '../state/working-state.ts';
import { envelopeIn } from './ethereum-envelope.ts';
import type { TipOf } from './prices.ts';

/** The rules of the next block for pending transactions. */
export interface PendingRules {
  /** Applies a transaction to the pool's state for the next block; returns the gas it used. Throws `RefusedError`. */
  apply(state: WorkingState, transaction: SignedTransaction): bigint;
  /** Returns the base fee of the next block, in wei. */
  baseFee(): bigint;
  /** Returns the function of tips in the next block; undefined on a chain where all pay the same. */
  tips(): TipOf | undefined;
}

/** Returns true for an error that a later block may not have: lower nonces are missing, or the base fee is too high. */
export function isEarly(error: unknown): error is RefusedError {
  if (!(error instanceof RefusedError)) return false;
  return error.reason.code === 'nonceTooHigh' || error.reason.code === 'feeCapTooLow';
}

/** Returns true if the fee cap of an Ethereum transaction reaches a base fee. */
export function canPay(transaction: SignedTransaction, baseFee: bigint): boolean {
  const envelope = envelopeIn(transaction);
  return envelope === undefined || feeCapOf(envelope.innerTransaction) >= baseFee;
}
