import { bytesToHex, delegationOf, type EthereumTransactionOperation } from '../../protocol/index.ts';
import { refuse } from '../errors/refusal.ts';
import { checkGas } from '../operations/ethereum-transaction.ts';
import type { WorkingState } from '../state/working-state.ts';
import { authoritiesOf, type SenderNonce } from './ethereum-envelope.ts';
import type { PendingTransactions } from './pending-transactions.ts';

/**
 * Checks the limits of the pool for delegations (EIP-7702), which are geth's. Any transaction can spend the balance of
 * a delegated account, so that a single one could invalidate all that the account has pending. An account with a
 * delegation, or with a pending authorization, therefore has at most one pending transaction, and an authority at most
 * one when its authorization arrives.
 * @param operation undefined for a native transaction, which has no limits
 * @throws RefusedError
 */
export function requireDelegationLimits(
  pending: PendingTransactions,
  state: WorkingState,
  operation: EthereumTransactionOperation | undefined,
): void {
  if (operation === undefined) return;
  const { sender, innerTransaction } = operation;
  const { nonce } = innerTransaction;
  const isLimited = pending.isAuthority(bytesToHex(sender)) || isDelegated(state, operation);
  if (isLimited) requireOnlyOne(pending, state, { sender, nonce });
  if (innerTransaction.type !== 'setCode') return;
  // Recovers no more authorities than the transaction pays for.
  checkGas(state, innerTransaction);
  const isReserved = authoritiesOf(operation).some((authority) => pending.shares.count.of(authority) > 1);
  if (isReserved) refuse({ code: 'authorityReserved' });
}

function isDelegated(state: WorkingState, { sender }: EthereumTransactionOperation): boolean {
  const hasCode = state.engine.accountState(sender)?.codeHash !== undefined;
  return hasCode && delegationOf(state.codeAt(sender)) !== undefined;
}

/** Accepts the next transaction of a sender without pending ones, or a replacement. */
function requireOnlyOne(pending: PendingTransactions, state: WorkingState, senderNonce: SenderNonce): void {
  if (pending.at(senderNonce) !== undefined) return;
  const { sender, nonce } = senderNonce;
  const holder = bytesToHex(sender);
  const isReady = pending.shares.count.of(holder) > pending.queue.shares.of(holder);
  if (isReady) refuse({ code: 'delegatedInFlight' });
  if (nonce > (state.engine.accountState(sender)?.nonce ?? 0n)) refuse({ code: 'delegatedGap' });
}
