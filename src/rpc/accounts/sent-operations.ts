import type { IncludedOperation, LedgerQueries } from '../../ledger/index.ts';
import type { Address } from '../../protocol/index.ts';
import type { Profile } from '../profiles/profile.ts';

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
    const own = ledger.operationOfSender(sender, nonce);
    if (own !== undefined || !ledger.hasHistory) return own;
  }
  // No count of what is stored is greater.
  return ledger.paidOperation(sender, Number(nonce));
}
