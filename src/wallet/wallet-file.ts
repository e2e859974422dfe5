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
import { readIfPresent, reasonOf, replaceFile } from './kept-file.ts';
import { isValidSeed } from './keys.ts';

/** Version of the file's form. The first one does not say how often blocks had been taken back. */
const FILE_VERSION = 2;

/** An account that the wallet created, as it is kept between two runs. */
export interface StoredAccount {
  readonly id: AccountId;
  readonly seed: Seed;
  readonly passphrase: string;
}

/** Where created accounts are kept between two runs. */
export interface WalletStorage {
  /** All created accounts, oldest first. */
  load(): StoredAccount[];
  /** Keeps these accounts in place of what was kept before. */
  save(accounts: readonly StoredAccount[]): void;
  /**
   * Whether blocks were taken back since it was saved last, so that it may hold keys of accounts that went with them.
   * Absent: they never were.
   */
  isBehind?(): boolean;
}

const storedAccount = z.strictObject({
  account: z.string(),
  privateKey: z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 lower-case hex digits'),
  passphrase: z.string().max(PASSPHRASE_CHARACTERS_MAX),
});

const accounts = z.array(storedAccount).max(WALLET_ACCOUNTS_MAX);

const walletFile = z.discriminatedUnion('version', [
  z.strictObject({ version: z.literal(1), accounts }),
  z.strictObject({ version: z.literal(FILE_VERSION), epoch: z.number().int().nonnegative(), accounts }),
]);

/** What a file says. */
interface WalletFile {
  readonly accounts: StoredAccount[];
  /** How often blocks had been taken back when it was written. */
  readonly epoch: number;
}

/**
 * Keeps the created accounts in a JSON file with the mode 0600, which is replaced as a whole.
 *
 * `load` and `save` throw `WalletFileError`; a damaged file is never overwritten, because `load` comes first.
 * @param path the file; its folder exists
 * @param epoch how often blocks of the stored chain were taken back; absent: never
 */
export function walletFileAt(path: string, epoch: () => number = () => 0): Required<WalletStorage> {
  return {
    load: () => readFile(path).accounts,
    save: (accounts) => replaceFile(path, serialize(accounts, epoch())),
    isBehind: () => readFile(path).epoch < epoch(),
  };
}

function serialize(accounts: readonly StoredAccount[], epoch: number): string {
  const records = accounts.map(({ id, seed, passphrase }) => ({
    account: formatAccountId(id),
    privateKey: bytesToHex(seed),
    passphrase,
  }));
  return `${JSON.stringify({ version: FILE_VERSION, epoch, accounts: records }, undefined, 2)}\n`;
}

function readFile(path: string): WalletFile {
  const text = readIfPresent(path);
  if (text === undefined) return { accounts: [], epoch: 0 };
  try {
    const file = walletFile.parse(JSON.parse(text));
    const accounts = file.accounts.map(parseAccount);
    if (new Set(accounts.map(({ id }) => id)).size < accounts.length) {
      throw new WalletFileError('an account is listed twice');
    }
    return { accounts, epoch: file.version === FILE_VERSION ? file.epoch : 0 };
  } catch (cause) {
    throw new WalletFileError(`the wallet file ${path} is damaged: ${reasonOf(cause)}`, { cause });
  }
}

function parseAccount(record: z.infer<typeof storedAccount>): StoredAccount {
  const seed = toSeed(hexToBytes(record.privateKey, 'privateKey'));
  if (!isValidSeed(seed)) throw new WalletFileError(`privateKey of ${record.account} is no secp256k1 key`);
  return { id: parseAccountId(record.account, 'account'), seed, passphrase: record.passphrase };
}
