import { PASSPHRASE_CHARACTERS_MAX, WALLET_ACCOUNTS_MAX } from '../limits.ts';
import { WalletError } from './errors.ts';

/**
 * Makes sure that a wallet may take one more account.
 *
 * @param passphrase of the new account
 * @param count accounts that the wallet has
 * @throws WalletError `INVALID_PASSPHRASE`, `WALLET_FULL`
 */
export function requireAdmission(passphrase: string, count: number): void {
  if (passphrase.length > PASSPHRASE_CHARACTERS_MAX) {
    throw new WalletError(
      'INVALID_PASSPHRASE',
      `the passphrase exceeds ${PASSPHRASE_CHARACTERS_MAX} characters`,
    );
  }
  if (count >= WALLET_ACCOUNTS_MAX) {
    throw new WalletError('WALLET_FULL', `the wallet is full: at most ${WALLET_ACCOUNTS_MAX} accounts`);
  }
}
