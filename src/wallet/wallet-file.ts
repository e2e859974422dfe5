import { z } from 'zod';
import { lazily } from '../caching/lazily.ts';
import {
  type AccountId,
  bytesToHex,
  formatAccountId,
  hexToBytes,
  parseAccountId,
  type Seed,
  toSeed,
} from '../protocol/index.ts';
import { PASSPHRASE_CHARACTERS_MAX, WALLET_ACCOUNTS_MAX } from './keyring.ts';
import { isValidSeed } from './keys.ts';
import { type StoredValue, storedFile } from './stored-file.ts';
import { WalletFileError } from './wallet-errors.ts';

/** A stored secp256k1 key that the wallet created. */
export interface CreatedKey {
  readonly seed: Seed;
  readonly passphrase: string;
}

export interface StoredAccount extends CreatedKey {
  readonly id: AccountId;
}

const keyRecord = lazily(() =>
  z.strictObject({
    privateKey: z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 lower-case hex digits'),
    passphrase: z.string().max(PASSPHRASE_CHARACTERS_MAX),
  }),
);

const accountRecord = lazily(() => z.strictObject({ account: z.string(), ...keyRecord().shape }));

/** Stores created accounts in a file, oldest first. */
export function walletFileAt(path: string, reorgCount?: () => number): StoredValue<readonly StoredAccount[]> {
  return storedFile<readonly StoredAccount[], { accounts: z.infer<ReturnType<typeof accountRecord>>[] }>(
    path,
    {
      name: (file) => `the wallet file ${file}`,
      content: z.strictObject({ accounts: z.array(accountRecord()).max(WALLET_ACCOUNTS_MAX) }),
      empty: [],
      read: ({ accounts }) => parseAccounts(accounts),
      write: (accounts) => ({
        accounts: accounts.map(({ id, ...key }) => ({ account: formatAccountId(id), ...recordOf(key) })),
      }),
    },
    reorgCount,
  );
}

/** Stores created keys in a file, oldest first. */
export function ethereumKeyFileAt(
  path: string,
  reorgCount?: () => number,
): StoredValue<readonly CreatedKey[]> {
  return storedFile<readonly CreatedKey[], { keys: z.infer<ReturnType<typeof keyRecord>>[] }>(
    path,
    {
      name: (file) => `the file ${file} with created keys`,
      content: z.strictObject({ keys: z.array(keyRecord()).max(WALLET_ACCOUNTS_MAX) }),
      empty: [],
      read: ({ keys }) => keys.map((key, index) => parseKey(key, `${index}`)),
      write: (created) => ({ keys: created.map(recordOf) }),
    },
    reorgCount,
  );
}

function recordOf({ seed, passphrase }: CreatedKey): z.infer<ReturnType<typeof keyRecord>> {
  return { privateKey: bytesToHex(seed), passphrase };
}

function parseKey(
  { privateKey, passphrase }: z.infer<ReturnType<typeof keyRecord>>,
  owner: string,
): CreatedKey {
  const seed = toSeed(hexToBytes(privateKey, 'privateKey'));
  if (!isValidSeed(seed)) throw new WalletFileError(`privateKey ${owner} is no secp256k1 key`);
  return { seed, passphrase };
}

function parseAccounts(records: readonly z.infer<ReturnType<typeof accountRecord>>[]): StoredAccount[] {
  const accounts = records.map(({ account, ...key }) => ({
    ...parseKey(key, `of ${account}`),
    id: parseAccountId(account, 'account'),
  }));
  if (new Set(accounts.map(({ id }) => id)).size === accounts.length) return accounts;
  throw new WalletFileError('an account is listed twice');
}
