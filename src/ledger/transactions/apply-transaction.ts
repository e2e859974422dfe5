import type { OperationResult, ProcessedTransaction, SignedTransaction } from '../../protocol/index.ts';
import { checkAuthorities } from '../authorities/authority.ts';
import type { SignatureRules } from '../authorities/signature-checks.ts';
import type { Chain } from '../chain/chain.ts';
import { RefusedError } from '../errors/refusal.ts';
import type { Outcome } from '../operations/outcome.ts';
import { applyOperation } from '../operations/rules.ts';
import type { WorkingState } from '../state/working-state.ts';
import { complete } from '../steps.ts';
import type { ChainOperations } from './ethereum-envelope.ts';
import { checkForm, checkPlace, requiredAccounts } from './transaction-checks.ts';

/** What decides whether a transaction is allowed, beside the chain and its state. */
export interface TransactionRules extends SignatureRules, ChainOperations {}

/** A transaction that took effect on a state. */
export interface AppliedTransaction {
  readonly transaction: ProcessedTransaction;
  /** One for each operation. */
  readonly outcomes: readonly Outcome[];
}

/**
 * Checks a transaction against the head of the chain and applies it to a state, whole or not at all. Throws
 * `RefusedError` and leaves the state as it was where the ledger's rules do not allow the transaction. After any
 * other error, such as an `EngineError`, the state has lost what is not stored, and has to be cleared.
 */
export function applyTransaction(
  state: WorkingState,
  chain: Chain,
  rules: TransactionRules,
  transaction: SignedTransaction,
): AppliedTransaction {
  return complete(applyInSteps(state, chain, rules, transaction));
}

/** The same in steps, one for each operation; nothing else may use the state before the last one is taken. */
export function* applyInSteps(
  state: WorkingState,
  chain: Chain,
  rules: TransactionRules,
  transaction: SignedTransaction,
): Generator<void, AppliedTransaction> {
  checkForm(transaction, rules);
  checkPlace(transaction, chain);
  checkAuthorities(transaction, requiredAccounts(transaction), rules, state.native);

  const mark = state.mark();
  try {
    const outcomes: Outcome[] = [];
    for (const operation of transaction.operations) {
      if (outcomes.length > 0) yield;
      outcomes.push(applyOperation(state, operation));
    }
    return { transaction: processed(transaction, outcomes), outcomes };
  } catch (error) {
    if (error instanceof RefusedError) state.revertTo(mark);
    throw error;
  }
}

function processed(transaction: SignedTransaction, outcomes: readonly Outcome[]): ProcessedTransaction {
  const { refBlockNum, refBlockPrefix, expiration, operations, signatures, signedWithEchorandKey } =
    transaction;
  const operationResults: OperationResult[] = [];
  let feesCollected = 0n;
  for (const outcome of outcomes) {
    operationResults.push(outcome.result);
    feesCollected += outcome.charge;
  }
  return {
    refBlockNum,
    refBlockPrefix,
    expiration,
    operations,
    signatures,
    signedWithEchorandKey,
    operationResults,
    feesCollected,
  };
}
