import type { IncludedOperation, Ledger, LedgerQueries, PendingOperation } from '../../../ledger/index.ts';
import { type Address, equalBytes, isEthereumTransaction } from '../../../protocol/index.ts';
import type { Profile } from '../../profiles/profile.ts';

/**
 * The included operation of a sender with a nonce: at `/` the one before which it had paid for so many; on `/ethereum`
 * its transaction with that nonce, else, where operations are counted, the same of a native account.
 *
 * @throws HistoryDisabledError at `/` where operations are not counted
 */
export function sentWithNonce(
  ledger: LedgerQueries,
  sender: Address,
  nonce: bigint,
  profile: Profile,
): IncludedOperation | undefined {
  if (profile.id === 'ethereum') {
    const own = ledger.blocks.operationOfSender(sender, nonce);
    if (own !== undefined || !ledger.accounts.hasHistory) return own;
  }
  // No count of what is stored is greater.
  const counted = ledger.blocks.paidOperation(sender, Number(nonce));
  // The nonces of an account are more than its counted operations on a fork, or after `anvil_setNonce`.
  const isOther =
    profile.id === 'ethereum' && counted !== undefined && isEthereumTransaction(counted.operation);
  return isOther ? undefined : counted;
}

/** Returns the pending transaction of a sender with a nonce; none at `/`, where operations have no nonces. */
export function pendingWithNonce(
  ledger: Pick<Ledger, 'pool'>,
  sender: Address,
  nonce: bigint,
  { id }: Profile,
): PendingOperation | undefined {
  if (id === 'ledger') return undefined;
  return [...ledger.pool.pendingOperations(), ...ledger.pool.queuedOperations()].find(({ operation }) => {
    if (!isEthereumTransaction(operation) || !equalBytes(operation.sender, sender)) return false;
    return operation.innerTransaction.nonce === nonce;
  });
}
