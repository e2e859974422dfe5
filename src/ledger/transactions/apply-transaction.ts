import { EngineError } from '../../evm/index.ts';
import {
  type Hash,
  hexIdOf,
  type OperationHash,
  operationHashes,
  type ProcessedTransaction,
  processedBytes,
  type SignedTransaction,
  sha256,
} from '../../protocol/index.ts';
import { checkAuthorities } from '../authorities/authority.ts';
import type { SignatureRules } from '../authorities/signature-checks.ts';
import type { Chain } from '../chain/chain.ts';
import { RefusedError, refuse } from '../errors/refusal.ts';
import type { Outcome } from '../operations/operation-rules.ts';
import { applyOperation } from '../operations/rules.ts';
import type { WorkingState } from '../state/working-state.ts';
import type { ChainOperations } from './native-transaction.ts';
import { checkForm, checkReference, requiredAccounts } from './transaction-checks.ts';

/**
 * Applies a transaction to a state with earlier ones. If the engine has no room, the state loses everything that is not
 * stored: `rebuild` applies the others again to empty tables, and the transaction is tried once more, so that every
 * node can apply a block that one node could make. Throws `RefusedError` if the engine fails again; the state is
 * rebuilt then too.
 */
export function* applyRebuilding<T>(
  apply: () => Generator<void, T>,
  rebuild: () => Iterable<void>,
): Generator<void, T> {
  try {
    return yield* apply();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
  }
  yield* rebuild();
  try {
    return yield* apply();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    yield* rebuild();
    throw engineRefusal(error);
  }
}

/** Makes the rejection for which the engine has no room. */
export function engineRefusal(error: EngineError): RefusedError {
  return new RefusedError({ code: 'engineFailed', detail: error.message });
}

/** Throws the error of a call, as `RefusedError` for a failure of the engine or the end of the time limit. */
export function throwCallError(error: unknown, seconds: number): never {
  if (!(error instanceof EngineError)) throw error;
  if (error.failure === 'outOfTime') refuse({ code: 'callTimedOut', seconds });
  throw engineRefusal(error);
}

/** The rules of transactions, in addition to the chain and its state. */
export interface TransactionRules extends SignatureRules, ChainOperations {}

/** A transaction that took effect on a state. */
export interface AppliedTransaction {
  /** Its id in hexadecimal. */
  readonly id: string;
  /** Its encoding in a block, and SHA-256 of it. */
  readonly bytes: Uint8Array;
  readonly digest: Hash;
  readonly transaction: ProcessedTransaction;
  /** One for each operation. */
  readonly outcomes: readonly Outcome[];
  readonly operationHashes: readonly OperationHash[];
}

/**
 * Checks a transaction against the head of the chain and applies it to a state, completely or not at all, in a step for
 * each operation. Nothing else may use the state before the last one. Throws
 * `RefusedError` and leaves the state unchanged if the rules reject it. After any other error, such as an
 * `EngineError`, the state has lost everything that is not stored and must be cleared.
 */
export function* applyJob(
  state: WorkingState,
  chain: Chain,
  rules: TransactionRules,
  transaction: SignedTransaction,
): Generator<void, AppliedTransaction> {
  checkForm(transaction, rules);
  checkReference(transaction, chain);
  checkAuthorities(transaction, requiredAccounts(transaction), rules, state.native);

  const mark = state.mark();
  try {
    const outcomes: Outcome[] = [];
    for (const operation of transaction.operations) {
      if (outcomes.length > 0) yield;
      outcomes.push(applyOperation(state, operation));
    }
    return appliedTransaction(transaction, outcomes);
  } catch (error) {
    if (error instanceof RefusedError) state.revertTo(mark);
    throw error;
  }
}

function appliedTransaction(
  transaction: SignedTransaction,
  outcomes: readonly Outcome[],
): AppliedTransaction {
  const { refBlockNum, refBlockPrefix, expiration, operations, signatures, signedWithEchorandKey } =
    transaction;
  const processed: ProcessedTransaction = {
    refBlockNum,
    refBlockPrefix,
    expiration,
    operations,
    signatures,
    signedWithEchorandKey,
    operationResults: outcomes.map(({ result }) => result),
    feesCollected: outcomes.reduce((sum, { charge }) => sum + charge, 0n),
  };
  const bytes = processedBytes(transaction, processed);
  return {
    id: hexIdOf(transaction),
    bytes,
    digest: sha256(bytes),
    transaction: processed,
    outcomes,
    operationHashes: operationHashes(transaction),
  };
}
