import { z } from 'zod';
import { PASSPHRASE_CHARACTERS_MAX, WALLET_ACCOUNTS_MAX } from '../limits.ts';
import {
  type AccountId,
  bytesToHex,
  formatAccountId,
  hexToBytes,
  parseAccountId,
  type Seed,
  toSeed,
} from '../protocol/index.ts';
import { WalletFileError } from './errors.ts';
import { type KeptValue, keptFile, privateKeyText } from './kept-file.ts';
import { isValidSeed } from './keys.ts';

/** An account that the wallet created, as it is kept between two runs. */
export interface StoredAccount {
  readonly id: AccountId;
  readonly seed: Seed;
  readonly passphrase: string;
}

const record = z.strictObject({
  account: z.string(),
  privateKey: privateKeyText,
  passphrase: z.string().max(PASSPHRASE_CHARACTERS_MAX),
});

/** Keeps the created accounts, oldest first, in a file as {@link keptFile} does. */
export function walletFileAt(path: string, epoch?: () => number): KeptValue<readonly StoredAccount[]> {
  return keptFile<readonly StoredAccount[], { accounts: z.infer<typeof record>[] }>(
    path,
    {
      name: (file) => `the wallet file ${file}`,
      content: z.strictObject({ accounts: z.array(record).max(WALLET_ACCOUNTS_MAX) }),
      empty: [],
      read: ({ accounts }) => parseAccounts(accounts),
      write: (accounts) => ({
        accounts: accounts.map(({ id, seed, passphrase }) => ({
          account: formatAccountId(id),
          privateKey: bytesToHex(seed),
          passphrase,
        })),
      }),
    },
    epoch,
  );
}

function parseAccounts(records: readonly z.infer<typeof record>[]): StoredAccount[] {
  const accounts = records.map(({ account, privateKey, passphrase }) => {
    const seed = toSeed(hexToBytes(privateKey, 'privateKey'));
    if (!isValidSeed(seed)) throw new WalletFileError(`privateKey of ${account} is no secp256k1 key`);
    return { id: parseAccountId(account, 'account'), seed, passphrase };
  });
  if (new Set(accounts.map(({ id }) => id)).size === accounts.length) return accounts;
  throw new WalletFileError('an account is listed twice');
}
