import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { z } from 'zod';
import { KEY_FILE_BYTES_MAX } from '../../limits.ts';
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
import { KeyFileError } from '../errors.ts';
import { readTextFile } from '../text-files.ts';

/** The mode of a key file: only the owner may read it. */
export const KEY_FILE_MODE = 0o600;
const OTHERS = 0o077;

/** A key and its account. */
export interface AccountKey {
  readonly account: AccountId;
  readonly name: string;
  readonly keys: KeyPair;
}

const keyFile = z.strictObject({
  account: z.string(),
  name: z.string(),
  publicKey: z.string(),
  seed: z.string().regex(/^[0-9a-f]{64}$/),
});

/** The expected content of each field; errors never repeat the text itself. */
const EXPECTED: Readonly<Record<string, string>> = {
  account: 'an account such as "1.2.1023"',
  name: 'a text',
  publicKey: 'the public key of the seed',
  seed: '64 lower-case hexadecimal digits',
};

/** Generates a key from the system's random source. */
export function generateKeys(): KeyPair {
  return createKeyPair(toSeed(new Uint8Array(randomBytes(32))));
}

/** Formats a key file. Secret. */
export function formatKeyFile({ account, name, keys }: AccountKey): string {
  const file: z.infer<typeof keyFile> = {
    account: formatAccountId(account),
    name,
    publicKey: formatPublicKey(keys.publicKey),
    seed: bytesToHex(keys.seed),
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** Reads a key file. @throws KeyFileError when it cannot be read, is invalid, or others than its owner can read it */
export function readKeyFile(path: string): AccountKey {
  return parseKeyFile(path, readKeyText(path));
}

/**
 * Reads a private key from a key file, or from a file with the key alone: 64 hexadecimal digits, with or without `0x`,
 * or the wallet import format. @throws KeyFileError as `readKeyFile` does
 */
export function readPrivateKey(path: string): Seed {
  const text = readKeyText(path).trim();
  if (text.startsWith('{')) return parseKeyFile(path, text).keys.seed;
  const [, digits] = /^(?:0x)?([0-9a-f]{64})$/i.exec(text) ?? [];
  if (digits !== undefined) return toSeed(hexToBytes(digits));
  try {
    return parseWif(text);
  } catch {
    throw new KeyFileError(
      `${path} is no key file: expected one of ledgerd init, 64 hexadecimal digits, or the wallet import format`,
    );
  }
}

function readKeyText(path: string): string {
  try {
    const refuse = (fault: string) => new KeyFileError(`${path} is no key file: ${fault}`);
    return readTextFile(path, KEY_FILE_BYTES_MAX, refuse, (stats) => requireSecret(path, stats));
  } catch (cause) {
    if (cause instanceof KeyFileError) throw cause;
    throw new KeyFileError(`the key file ${path} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

function requireSecret(path: string, stats: Stats): void {
  // Windows has no such bits.
  if (process.platform !== 'win32' && (stats.mode & OTHERS) !== 0) {
    throw new KeyFileError(
      `others than its owner can read or write the key file ${path} (mode ${octal(stats.mode)}): ` +
        `chmod ${octal(KEY_FILE_MODE)} makes it secret, but its key may be known by now`,
    );
  }
}

/** Parses a key file. No error has a cause: messages of the libraries repeat parts of the text. */
function parseKeyFile(path: string, text: string): AccountKey {
  const parsed = keyFile.safeParse(parseJson(path, text));
  if (!parsed.success) throw wrongField(path, String(parsed.error.issues[0]?.path[0] ?? ''));
  const { account, name, publicKey, seed } = parsed.data;
  const keys = createKeyPair(toSeed(hexToBytes(seed)));
  if (formatPublicKey(keys.publicKey) !== publicKey) throw wrongField(path, 'publicKey');
  return { account: parseAccount(path, account), name, keys };
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new KeyFileError(`${path} is no key file: it is not JSON`);
  }
}

function parseAccount(path: string, text: string): AccountId {
  try {
    return parseAccountId(text);
  } catch {
    throw wrongField(path, 'account');
  }
}

function wrongField(path: string, field: string): KeyFileError {
  const expected = EXPECTED[field];
  const what =
    expected === undefined
      ? `it must be an object of ${Object.keys(EXPECTED).join(', ')} and nothing else`
      : `"${field}" must be ${expected}`;
  return new KeyFileError(`${path} is no key file: ${what}`);
}

/** Formats the permission bits of a mode as chmod takes them. */
export function octal(mode: number): string {
  return (mode & 0o777).toString(8);
}
