import { z } from 'zod';
import { PASSPHRASE_CHARACTERS_MAX, WALLET_ACCOUNTS_MAX } from '../limits.ts';
import { bytesToHex, hexToBytes, type Seed, toSeed } from '../protocol/index.ts';
import { WalletFileError } from './errors.ts';
import { readIfPresent, reasonOf, replaceFile } from './kept-file.ts';
import { isValidSeed } from './keys.ts';

/** Version of the file's form. */
const FILE_VERSION = 1;

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
}

const keyFile = z.strictObject({
  version: z.literal(FILE_VERSION),
  keys: z
    .array(
      z.strictObject({
        privateKey: z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 lower-case hex digits'),
        passphrase: z.string().max(PASSPHRASE_CHARACTERS_MAX),
      }),
    )
    .max(WALLET_ACCOUNTS_MAX),
});

/**
 * Keeps created keys in a JSON file that only its owner may read, which is replaced as a whole.
 *
 * `load` and `save` throw `WalletFileError`; a damaged file is never overwritten, because `load` comes first.
 * @param path the file; its folder exists
 */
export function ethereumKeyFileAt(path: string): EthereumKeyStorage {
  return { load: () => readKeys(path), save: (keys) => replaceFile(path, serialize(keys)) };
}

function serialize(created: readonly CreatedKey[]): string {
  const keys = created.map(({ key, passphrase }) => ({ privateKey: bytesToHex(key), passphrase }));
  return `${JSON.stringify({ version: FILE_VERSION, keys }, undefined, 2)}\n`;
}

function readKeys(path: string): CreatedKey[] {
  const text = readIfPresent(path);
  if (text === undefined) return [];
  try {
    return keyFile.parse(JSON.parse(text)).keys.map(({ privateKey, passphrase }, index) => {
      const key = toSeed(hexToBytes(privateKey, 'privateKey'));
      if (!isValidSeed(key)) throw new WalletFileError(`privateKey ${index} is no secp256k1 key`);
      return { key, passphrase };
    });
  } catch (cause) {
    throw new WalletFileError(`the file ${path} with created keys is damaged: ${reasonOf(cause)}`, { cause });
  }
}
