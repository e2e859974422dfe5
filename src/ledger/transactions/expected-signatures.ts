import { type SignedTransaction, transactionDigest } from '../../protocol/index.ts';
import { keysOf } from '../authorities/authority.ts';
import type { SignatureRules } from '../authorities/signature-checks.ts';
import type { NativeState } from '../state/native-state.ts';
import { ethereumOperationIn, isImpersonated, readInnerTransaction } from './native-transaction.ts';
import { requiredAccounts } from './transaction-checks.ts';

/** Transactions of a block that is imported whose signatures are checked ahead. */
const BLOCK_TRANSACTIONS_AHEAD = 256;

/**
 * Queues the checks of a transaction's signatures for other threads. Transactions of accounts with several keys are
 * omitted: which of them signed is found one by one when the transaction is applied.
 */
export function expectSignatures(
  transaction: SignedTransaction,
  { chainId, signatures }: SignatureRules,
  state: NativeState,
): void {
  const operation = ethereumOperationIn(transaction);
  if (operation !== undefined) {
    const innerTransaction = readInnerTransaction(transaction);
    if (innerTransaction === undefined || isImpersonated(operation)) return;
    signatures.expectSender(innerTransaction);
    return;
  }
  const [key, another] = keysOf(requiredAccounts(transaction), state);
  const [signature] = transaction.signatures;
  if (key === undefined || another !== undefined || signature === undefined) return;
  signatures.expect(key, transactionDigest(chainId, transaction), signature);
}

/**
 * Yields the transactions of a block, after queueing the checks of those that follow within a bound.
 * @param later returns the transactions after the block, as far as they are known
 */
export function* expectingSignatures(
  transactions: readonly SignedTransaction[],
  later: () => readonly SignedTransaction[],
  rules: SignatureRules,
  state: NativeState,
): Generator<SignedTransaction> {
  // The first one is checked at once.
  let expected = 1;
  for (const [index, transaction] of transactions.entries()) {
    for (; expected < index + BLOCK_TRANSACTIONS_AHEAD; expected += 1) {
      const ahead = transactions[expected] ?? later()[expected - transactions.length];
      if (ahead === undefined) break;
      expectSignatures(ahead, rules, state);
    }
    yield transaction;
  }
}
