import { createHmac, pbkdf2Sync } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { QUOTED_CHARACTERS_MAX } from '../ledger/index.ts';
import {
  type Address,
  bytesToNumber,
  concatBytes,
  createKeyPair,
  FormatError,
  GROUP_ORDER,
  hashedAddress,
  keccak256,
  numberToBytes,
  type PublicKey,
  publicKeyOf,
  type Seed,
  sha256,
  signDigest,
  toSeed,
  utf8ToBytes,
} from '../protocol/index.ts';
import { knownAddress, knownKeys, TEST_MNEMONIC } from './known-keys.ts';

/** Domain separator of the keys of test accounts. */
const DERIVATION_DOMAIN = 'ledgerd test account';

/** Domain separator of the producer's key of a test chain. */
const PRODUCER_DOMAIN = 'ledgerd test producer';

/** A key of test mode with its registered public keys. */
export interface TestAccount {
  /** 32 bytes: the ledger's Ed25519 seed, and the secp256k1 private key of `eth_sign`. */
  readonly seed: Seed;
  /** The Ed25519 public key. */
  readonly publicKey: PublicKey;
  /** Ethereum's address of the secp256k1 key. */
  readonly evmAddress: Address;
}

/**
 * Derives the test accounts of a text, the same on every start. Key `i` is SHA-256 of `ledgerd test account:<seed
 * text>:<i>` (UTF-8, `i` in decimal digits), hashed again until it is a private key of secp256k1 (the first hash nearly
 * always is).
 *
 * @param seedText any text; it is no secret
 * @param count number of accounts, at least 0
 */
export function deriveTestAccounts(seedText: string, count: number): TestAccount[] {
  return Array.from({ length: count }, (_, index) =>
    testAccountOf(deriveSeed(`${DERIVATION_DOMAIN}:${seedText}:${index}`)),
  );
}

/**
 * Derives the key of a test chain's producer, which signs its blocks and pays for registrations, as
 * {@link deriveTestAccounts} does, from `ledgerd test producer:<seed text>`.
 */
export function deriveProducerSeed(seedText: string): Seed {
  return deriveSeed(`${PRODUCER_DOMAIN}:${seedText}`);
}

function deriveSeed(text: string): Seed {
  let candidate = sha256(utf8ToBytes(text));
  while (!secp256k1.utils.isValidSecretKey(candidate)) candidate = sha256(candidate);
  return toSeed(candidate);
}

/** Generates a random key that is valid for both curves. */
export function generateSeed(): Seed {
  return toSeed(secp256k1.utils.randomSecretKey());
}

/** True if 32 bytes are a private key of secp256k1 (any 32 bytes are an Ed25519 seed). */
export function isValidSeed(bytes: Uint8Array): boolean {
  return secp256k1.utils.isValidSecretKey(bytes);
}

export function testAccountOf(seed: Seed): TestAccount {
  return { seed, publicKey: createKeyPair(seed).publicKey, evmAddress: evmAddressOf(seed) };
}

/**
 * Computes the Ethereum address of a private key: the last 20 bytes of Keccak-256 of the uncompressed secp256k1 public
 * key without its leading 0x04 (yellow paper, appendix F).
 */
export function evmAddressOf(seed: Seed): Address {
  return knownAddress(seed) ?? hashedAddress(publicKeyOf(seed, 'uncompressed').subarray(1));
}

/**
 * Signs a message as `eth_sign` does (docs/interface.md#test-mode; ERC-191 version 0x45). Returns 65 bytes r ‖ s ‖ v.
 */
export function signPersonalMessage(seed: Seed, message: Uint8Array): Uint8Array {
  return signatureOf(seed, personalMessageHash(message));
}

/**
 * Signs a digest of 32 bytes as Ethereum wallets do.
 *
 * @returns 65 bytes: r (32), s (32, in the lower half of its range), v (27 or 28)
 */
export function signatureOf(seed: Seed, digest: Uint8Array): Uint8Array {
  const { r, s, yParity } = signDigest(digest, seed);
  return concatBytes(r, s, Uint8Array.of(27 + yParity));
}

/** Computes the hash that `eth_sign` signs: Keccak-256 of the prefix, the decimal length and the message. */
export function personalMessageHash(message: Uint8Array): Uint8Array {
  const prefix = utf8ToBytes(`\x19Ethereum Signed Message:\n${message.length}`);
  return keccak256(concatBytes(prefix, message));
}

/** The default derivation path of Ethereum tools: BIP-44 with coin type 60. */
export const ETHEREUM_DERIVATION_PATH = "m/44'/60'/0'/0";

const WORD_COUNTS: readonly number[] = [12, 15, 18, 21, 24];
/** Words of the list: each has 11 bits. */
const WORDS = 2_048n;
const SEED_ROUNDS = 2_048;
const SEED_BYTES = 64;
/** HMAC key of the master key (BIP-32). */
const MASTER = 'Bitcoin seed';
/** First index of hardened keys, which depend on the private key alone (BIP-32). */
const HARDENED = 2 ** 31;
const INDEX = /^(\d{1,10})('?)$/;
const KEY_BYTES = 32;

/** A private key and its chain code (BIP-32). */
interface ExtendedKey {
  readonly key: Uint8Array;
  readonly chainCode: Uint8Array;
}

/**
 * Derives the private keys of a mnemonic as Ethereum wallets do, without a passphrase (BIP-39, BIP-32): key `i` has
 * the path followed by `/i`.
 *
 * @param mnemonic 12, 15, 18, 21 or 24 words of the English list, in any case and spacing
 * @param derivationPath such as `m/44'/60'/0'/0`, where `'` marks a hardened index
 * @param count number of keys, at least 0
 * @throws {FormatError} for an invalid mnemonic or path; the message names the word or the path component
 */
export function mnemonicKeys(mnemonic: string, derivationPath: string, count: number): Seed[] {
  const indexes = parsePath(derivationPath);
  const words = parseMnemonic(mnemonic);
  const isDefault = words === TEST_MNEMONIC && derivationPath === ETHEREUM_DERIVATION_PATH;
  const known = isDefault ? knownKeys(count) : undefined;
  if (known !== undefined) return known;
  const seed = pbkdf2Sync(words, 'mnemonic', SEED_ROUNDS, SEED_BYTES, 'sha512');
  const parent = indexes.reduce(childOf, splitDigest(createHmac('sha512', MASTER).update(seed).digest()));
  return Array.from({ length: count }, (_, index) => toSeed(childOf(parent, index).key));
}

/** Checks a mnemonic and a path without deriving keys. @throws {FormatError} as {@link mnemonicKeys} does */
export function checkMnemonic(mnemonic: string, derivationPath: string): void {
  parsePath(derivationPath);
  parseMnemonic(mnemonic);
}

/** Returns the checked words, separated by one space. */
function parseMnemonic(mnemonic: string): string {
  const words = mnemonic.normalize('NFKD').trim().toLowerCase().split(/\s+/);
  if (!WORD_COUNTS.includes(words.length)) {
    throw new FormatError('mnemonic', `must have 12, 15, 18, 21 or 24 words, not ${words.length}`);
  }
  const indexes = words.map((word) => wordlist.indexOf(word));
  const unknown = indexes.indexOf(-1);
  if (unknown >= 0) {
    const word = JSON.stringify(words[unknown]?.slice(0, QUOTED_CHARACTERS_MAX));
    throw new FormatError('mnemonic', `word ${unknown + 1}, ${word}, is not on the English list of BIP-39`);
  }
  if (hasChecksum(indexes)) return words.join(' ');
  throw new FormatError('mnemonic', 'wrong checksum: a word is wrong or in the wrong position');
}

/** Returns true if the last bits of the words' indexes are the first of the hash of the bits before them (BIP-39). */
function hasChecksum(indexes: readonly number[]): boolean {
  const bits = indexes.reduce((before, index) => before * WORDS + BigInt(index), 0n);
  const checksumBits = BigInt(indexes.length / 3);
  const [hashed = 0] = sha256(numberToBytes(bits >> checksumBits, (indexes.length * 4) / 3));
  return BigInt.asUintN(Number(checksumBits), bits) === BigInt(hashed) >> (8n - checksumBits);
}

/** Returns the indexes of a path; those of hardened keys start at 2^31. */
function parsePath(path: string): number[] {
  const [root, ...parts] = path.split('/');
  if (root !== 'm') throw new FormatError('derivation path', "must begin with m, such as in m/44'/60'/0'/0");
  return parts.map((part, position) => {
    const [, digits, mark] = INDEX.exec(part) ?? [];
    const index = Number(digits);
    if (digits !== undefined && index < HARDENED) return mark === '' ? index : index + HARDENED;
    const quoted = JSON.stringify(part.slice(0, QUOTED_CHARACTERS_MAX));
    const rule = "must be a number below 2147483648, with ' after it if it is hardened";
    throw new FormatError('derivation path', `part ${position + 1}, ${quoted}, ${rule}`);
  });
}

/** Derives the key of an index, or of the next index in the rare case (1 in 2^127) that it has no valid key. */
function childOf(parent: ExtendedKey, index: number): ExtendedKey {
  const isHardened = index >= HARDENED;
  const indexBytes = Buffer.alloc(4);
  indexBytes.writeUInt32BE(index);
  const digest = createHmac('sha512', parent.chainCode)
    .update(isHardened ? Buffer.concat([Buffer.alloc(1), parent.key]) : publicKeyOf(parent.key, 'compressed'))
    .update(indexBytes)
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
