import { randomBytes } from 'node:crypto';
import { readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { lazily } from '../../caching/lazily.ts';
import { readTextFile } from '../../files/bounded-file.ts';
import type { Genesis } from '../../ledger/index.ts';
import {
  type AccountId,
  bytesToHex,
  createKeyPair,
  formatAccountId,
  formatPublicKey,
  hexToBytes,
  type KeyPair,
  messageOf,
  parseAccountId,
  parseWif,
  type Seed,
  toSeed,
} from '../../protocol/index.ts';
import type { DataFolder } from '../data-folder.ts';
import { KeyFileError } from '../node-errors.ts';

/** Bytes of a key file. */
const KEY_FILE_BYTES_MAX = 64 * 1024;
/** Files in a folder of keys. */
const KEY_FILES_MAX = 1_000;

/** Mode of a key file: only the owner may read it. */
export const KEY_FILE_MODE = 0o600;
const OTHERS = 0o077;

export interface AccountKey {
  readonly account: AccountId;
  readonly name: string;
  readonly keys: KeyPair;
}

const keyFile = lazily(() =>
  z.strictObject({
    account: z.string(),
    name: z.string(),
    publicKey: z.string(),
    seed: z.string().regex(/^[0-9a-f]{64}$/),
  }),
);

/** Expected content of each field. Errors never repeat the actual content. */
const EXPECTED: Readonly<Record<string, string>> = {
  account: 'an account such as "1.2.1023"',
  name: 'a text',
  publicKey: 'the public key of the seed',
  seed: '64 lower-case hexadecimal digits',
};

export function generateKeys(): KeyPair {
  return createKeyPair(toSeed(new Uint8Array(randomBytes(32))));
}

/** Formats a key file, which is secret. */
export function formatKeyFile({ account, name, keys }: AccountKey): string {
  const file: z.infer<ReturnType<typeof keyFile>> = {
    account: formatAccountId(account),
    name,
    publicKey: formatPublicKey(keys.publicKey),
    seed: bytesToHex(keys.seed),
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** Reads a key file. @throws KeyFileError if it is unreadable, invalid, or accessible to other users */
export function readKeyFile(path: string): AccountKey {
  return parseKeyFile(path, readKeyText(path));
}

/**
 * Reads a private key from a key file, or from a file with only the key: 64 hexadecimal digits, with or without `0x`,
 * or the wallet import format. @throws KeyFileError
 */
export function readPrivateKey(path: string): Seed {
  const text = readKeyText(path).trim();
  if (text.startsWith('{')) return parseKeyFile(path, text).keys.seed;
  const [, digits] = /^(?:0x)?([0-9a-f]{64})$/i.exec(text) ?? [];
  if (digits !== undefined) return toSeed(hexToBytes(digits));
  const expected = 'expected one of ledgerd init, 64 hexadecimal digits, or the wallet import format';
  return parsed(path, expected, () => parseWif(text));
}

function readKeyText(path: string): string {
  const refuse = (reason: string, cause?: unknown) =>
    cause === undefined
      ? notKeyFile(path, reason)
      : new KeyFileError(`the key file ${path} cannot be read: ${reason}`, { cause });
  return readTextFile(path, KEY_FILE_BYTES_MAX, refuse, (stats) => requireSecret(path, stats));
}

function requireSecret(path: string, stats: Stats): void {
  if (othersHave(stats, OTHERS)) {
    throw new KeyFileError(
      `users other than its owner can read or write the key file ${path} (mode ${octal(stats.mode)}): ` +
        `chmod ${octal(KEY_FILE_MODE)} makes it secret, but its key may be known already`,
    );
  }
}

function parseKeyFile(path: string, text: string): AccountKey {
  const json: unknown = parsed(path, 'it is not JSON', () => JSON.parse(text));
  const { success, data, error } = keyFile().safeParse(json);
  if (!success) throw notKeyFile(path, expectedOf(String(error.issues[0]?.path[0] ?? '')));
  const { account, name, publicKey, seed } = data;
  const keys = createKeyPair(toSeed(hexToBytes(seed)));
  if (formatPublicKey(keys.publicKey) !== publicKey) throw notKeyFile(path, expectedOf('publicKey'));
  return { account: parsed(path, expectedOf('account'), () => parseAccountId(account)), name, keys };
}

/** Runs a parser. The error has no cause: messages of the libraries repeat parts of the text. */
function parsed<T>(path: string, reason: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    throw notKeyFile(path, reason);
  }
}

function expectedOf(field: string): string {
  const expected = EXPECTED[field];
  if (expected !== undefined) return `"${field}" must be ${expected}`;
  return `it must be an object of ${Object.keys(EXPECTED).join(', ')} and nothing else`;
}

function notKeyFile(path: string, reason: string): KeyFileError {
  return new KeyFileError(`${path} is no key file: ${reason}`);
}

/** Formats the permission bits of a mode for chmod. */
function octal(mode: number): string {
  return (mode & 0o777).toString(8);
}

/** Permission bits of other users to write. */
export const OTHERS_WRITE = 0o022;

/** Returns true if users other than the owner have one of the permissions. Windows has no such bits. */
export function othersHave({ mode }: Stats, permissions: number): boolean {
  return process.platform !== 'win32' && (mode & permissions) !== 0;
}

export interface StoredKey extends AccountKey {
  readonly path: string;
}

export type NodeKeys = ReturnType<typeof loadKeys>;

/** Loads the keys of a node; none without a key folder. @throws KeyFileError */
export function loadKeys(folder: DataFolder, named: string | undefined, genesis: Genesis) {
  const stored = readKeyFolder(named ?? folder.keys);
  if (stored === undefined && named !== undefined) {
    throw new KeyFileError(`the key folder ${named} does not exist`);
  }
  const keys = stored ?? [];
  const produces = ({ account }: StoredKey): boolean => genesis.producers.includes(account);
  const registers = ({ account }: StoredKey): boolean => account === genesis.registrar;
  return {
    /** Keys of producers of the genesis, which sign blocks. */
    producers: keys.filter(produces),
    registrars: keys.filter(registers),
    unused: keys
      .filter((key) => !produces(key) && !registers(key))
      .map(({ account, name, path }) => ({ account, name, path })),
  };
}

/**
 * Reads the key files of a folder, those with the extension `.json`, ordered by name; undefined without a folder.
 * @throws KeyFileError if the folder or one of the files cannot be used
 */
export function readKeyFolder(path: string): StoredKey[] | undefined {
  const names = listFolder(path);
  return names
    ?.filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ ...readKeyFile(join(path, name)), path: join(path, name) }));
}

function listFolder(path: string): string[] | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (othersHave(stats, OTHERS_WRITE)) {
      throw new KeyFileError(
        `users other than its owner can write to the key folder ${path} (mode ${octal(stats.mode)}): chmod 700`,
      );
    }
    const names = readdirSync(path);
    if (names.length <= KEY_FILES_MAX) return names;
    throw new KeyFileError(`the key folder ${path} has ${names.length} files, more than ${KEY_FILES_MAX}`);
  } catch (cause) {
    if (cause instanceof KeyFileError) throw cause;
    throw new KeyFileError(`the key folder ${path} cannot be read: ${messageOf(cause)}`, { cause });
  }
}
