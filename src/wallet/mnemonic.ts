import { createHmac, pbkdf2Sync } from 'node:crypto';
import { validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { QUOTED_CHARACTERS_MAX } from '../limits.ts';
import {
  bytesToNumber,
  FormatError,
  GROUP_ORDER,
  numberToBytes,
  type Seed,
  toSeed,
} from '../protocol/index.ts';
import { isValidSeed, publicKeyOf } from './keys.ts';

/** The path of Ethereum's tools for the keys of a mnemonic: BIP-44 with the coin type 60. */
export const ETHEREUM_DERIVATION_PATH = "m/44'/60'/0'/0";

const WORD_COUNTS: readonly number[] = [12, 15, 18, 21, 24];
const SEED_ROUNDS = 2_048;
const SEED_BYTES = 64;
/** Key of the HMAC that makes the first key (BIP-32). */
const MASTER = 'Bitcoin seed';
/** First index of hardened keys, which follow from the private key alone. */
const HARDENED = 2 ** 31;
const INDEX = /^(\d{1,10})('?)$/;
const KEY_BYTES = 32;

/** A private key and its chain code (BIP-32). Secret. */
interface ExtendedKey {
  readonly key: Uint8Array;
  readonly chainCode: Uint8Array;
}

/**
 * Derives the private keys of a mnemonic as Ethereum's wallets do, without a passphrase (BIP-39, BIP-32): key `i` has
 * the path followed by `/i`.
 *
 * @param mnemonic 12, 15, 18, 21 or 24 words of the English list, in any case and spacing
 * @param derivationPath such as `m/44'/60'/0'/0`, where `'` marks a hardened index
 * @param count number of keys, at least 0
 * @throws {FormatError} for an invalid mnemonic or path; the message names the word or the part
 */
export function mnemonicKeys(mnemonic: string, derivationPath: string, count: number): Seed[] {
  const indexes = parsePath(derivationPath);
  const seed = pbkdf2Sync(parseMnemonic(mnemonic), 'mnemonic', SEED_ROUNDS, SEED_BYTES, 'sha512');
  const parent = indexes.reduce(childOf, splitDigest(createHmac('sha512', MASTER).update(seed).digest()));
  return Array.from({ length: count }, (_, index) => toSeed(childOf(parent, index).key));
}

/** Returns the words, separated by one space. */
function parseMnemonic(mnemonic: string): string {
  const words = mnemonic.normalize('NFKD').trim().toLowerCase().split(/\s+/);
  if (!WORD_COUNTS.includes(words.length)) {
    throw new FormatError('mnemonic', `must have 12, 15, 18, 21 or 24 words, not ${words.length}`);
  }
  const unknown = words.findIndex((word) => !wordlist.includes(word));
  if (unknown >= 0) {
    const word = JSON.stringify(words[unknown]?.slice(0, QUOTED_CHARACTERS_MAX));
    throw new FormatError('mnemonic', `word ${unknown + 1}, ${word}, is not on the English list of BIP-39`);
  }
  const text = words.join(' ');
  if (validateMnemonic(text, wordlist)) return text;
  throw new FormatError('mnemonic', 'wrong checksum: a word is another one, or stands in another place');
}

/** Returns the indexes of a path, those of hardened keys from 2^31 on. */
function parsePath(path: string): number[] {
  const [root, ...parts] = path.split('/');
  if (root !== 'm') throw new FormatError('derivation path', "must begin with m, such as in m/44'/60'/0'/0");
  return parts.map((part, place) => {
    const [, digits, mark] = INDEX.exec(part) ?? [];
    const index = Number(digits);
    if (digits !== undefined && index < HARDENED) return mark === '' ? index : index + HARDENED;
    const quoted = JSON.stringify(part.slice(0, QUOTED_CHARACTERS_MAX));
    const rule = "must be a number below 2147483648, with ' behind it where it is hardened";
    throw new FormatError('derivation path', `part ${place + 1}, ${quoted}, ${rule}`);
  });
}

/** Derives the key of an index; of the next one where that is no key, as of one in 2^127. */
function childOf(parent: ExtendedKey, index: number): ExtendedKey {
  const isHardened = index >= HARDENED;
  const place = Buffer.alloc(4);
  place.writeUInt32BE(index);
  const digest = createHmac('sha512', parent.chainCode)
    .update(isHardened ? Buffer.concat([Buffer.alloc(1), parent.key]) : publicKeyOf(parent.key, 'compressed'))
    .update(place)
    .digest();
  const { key: summand, chainCode } = splitDigest(digest);
  const sum = (bytesToNumber(summand) + bytesToNumber(parent.key)) % GROUP_ORDER;
  const key = numberToBytes(sum, KEY_BYTES);
  const isKey = bytesToNumber(summand) < GROUP_ORDER && isValidSeed(key);
  return isKey ? { key, chainCode } : childOf(parent, index + 1);
}

function splitDigest(digest: Uint8Array): ExtendedKey {
  return { key: digest.subarray(0, KEY_BYTES), chainCode: digest.subarray(KEY_BYTES) };
}
