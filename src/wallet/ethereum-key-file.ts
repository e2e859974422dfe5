import { z } from 'zod';
import { PASSPHRASE_CHARACTERS_MAX, WALLET_ACCOUNTS_MAX } from '../limits.ts';
import { bytesToHex, hexToBytes, type Seed, toSeed } from '../protocol/index.ts';
import { WalletFileError } from './errors.ts';
import { readIfPresent, reasonOf, replaceFile } from './kept-file.ts';
import { isValidSeed } from './keys.ts';

/** Version of the file's form. The first one does not say how often blocks had been taken back. */
const FILE_VERSION = 2;

/** A key that was created for Ethereum's tools, as it is kept between two runs. */
export interface CreatedKey {
  readonly key: Seed;
  readonly passphrase: string;
}

/** Where created keys are kept between two runs. */
export interface EthereumKeyStorage {
  /** All of them, oldest first. */
  load(): CreatedKey[];
  /** Keeps these in place of what was kept before. */
  save(keys: readonly CreatedKey[]): void;
  /** How often blocks had been taken back when they were kept; 0 where nothing is. */
  epoch(): number;
}

const keys = z
  .array(
    z.strictObject({
      privateKey: z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 lower-case hex digits'),
      passphrase: z.string().max(PASSPHRASE_CHARACTERS_MAX),
    }),
  )
  .max(WALLET_ACCOUNTS_MAX);

const keyFile = z.discriminatedUnion('version', [
  z.strictObject({ version: z.literal(1), keys }),
  z.strictObject({ version: z.literal(FILE_VERSION), epoch: z.number().int().nonnegative(), keys }),
]);

/** What a file says. */
interface KeyFile {
  readonly keys: CreatedKey[];
  readonly epoch: number;
}

/**
 * Keeps created keys in a JSON file that only its owner may read, which is replaced as a whole.
 *
 * `load` and `save` throw `WalletFileError`; a damaged file is never overwritten, because `load` comes first.
 * @param path the file; its folder exists
 * @param epoch how often blocks of the stored chain were taken back; absent: never
 */
export function ethereumKeyFileAt(path: string, epoch: () => number = () => 0): EthereumKeyStorage {
  return {
    load: () => readFile(path).keys,
    save: (created) => replaceFile(path, serialize(created, epoch())),
    epoch: () => readFile(path).epoch,
  };
}

function serialize(created: readonly CreatedKey[], epoch: number): string {
  const records = created.map(({ key, passphrase }) => ({ privateKey: bytesToHex(key), passphrase }));
  return `${JSON.stringify({ version: FILE_VERSION, epoch, keys: records }, undefined, 2)}\n`;
}

function readFile(path: string): KeyFile {
  const text = readIfPresent(path);
  if (text === undefined) return { keys: [], epoch: 0 };
  try {
    const file = keyFile.parse(JSON.parse(text));
    const created = file.keys.map(({ privateKey, passphrase }, index) => {
      const key = toSeed(hexToBytes(privateKey, 'privateKey'));
      if (!isValidSeed(key)) throw new WalletFileError(`privateKey ${index} is no secp256k1 key`);
      return { key, passphrase };
    });
    return { keys: created, epoch: file.version === FILE_VERSION ? file.epoch : 0 };
  } catch (cause) {
    throw new WalletFileError(`the file ${path} with created keys is damaged: ${reasonOf(cause)}`, { cause });
  }
}
