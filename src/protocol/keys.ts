import { hash } from 'node:crypto';
import { eddsa } from '@noble/curves/abstract/edwards.js';
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha3_512 } from '@noble/hashes/sha3.js';
import { base58ToBytes, bytesToBase58 } from './base58.ts';
import { concatBytes, equalBytes } from './bytes.ts';
import { FormatError } from './errors.ts';
import { type PublicKey, type Seed, type Signature, toPublicKey, toSeed, toSignature } from './values.ts';

/** What stands before the base58 of a public key. */
const PUBLIC_KEY_PREFIX = 'ECHO';

/**
 * Fixes the bits of a private scalar that curve 25519 fixes (RFC 8032, section 5.1.5). Changes its argument.
 */
function adjustScalarBytes(bytes: Uint8Array): Uint8Array {
  bytes[0] = (bytes[0] ?? 0) & 0xf8;
  bytes[31] = ((bytes[31] ?? 0) & 0x7f) | 0x40;
  return bytes;
}

/**
 * Ed25519 of this ledger: RFC 8032 with SHA3-512 wherever the RFC has SHA-512. Keys and signatures are
 * therefore not those of the RFC, and the platform's Ed25519, which has its hash built in, can neither make
 * nor verify them.
 */
const ed25519Sha3 = eddsa(ed25519.Point, sha3_512, { adjustScalarBytes });

/** A private key that can sign, and its public key. */
export interface KeyPair {
  readonly seed: Seed;
  readonly publicKey: PublicKey;
  /** Signature of a message of any length; the same message gives the same signature. */
  sign(message: Uint8Array): Signature;
}

/** The key pair of a private key. Keeps a copy of the key, so that the caller may overwrite its own. */
export function createKeyPair(seed: Seed): KeyPair {
  const kept = toSeed(seed.slice());
  return {
    seed: kept,
    publicKey: toPublicKey(ed25519Sha3.getPublicKey(kept)),
    sign: (message) => toSignature(ed25519Sha3.sign(message, kept)),
  };
}

/**
 * Whether a signature of the message is by this key. Never throws: a malformed key or signature is no
 * signature.
 */
export function verifySignature(publicKey: PublicKey, message: Uint8Array, signature: Signature): boolean {
  try {
    // The RFC's rules for the encoding of points, not the looser ones of ZIP 215.
    return ed25519Sha3.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
}

/** `ECHO`, then base58 of the 32 bytes, without checksum. */
export function formatPublicKey(publicKey: PublicKey): string {
  return PUBLIC_KEY_PREFIX + bytesToBase58(publicKey);
}

/** Parses what `formatPublicKey` gives. @throws {FormatError} for anything else. */
export function parsePublicKey(text: string, field = 'public key'): PublicKey {
  if (!text.startsWith(PUBLIC_KEY_PREFIX))
    throw new FormatError(field, `must begin with ${PUBLIC_KEY_PREFIX}`);
  return toPublicKey(base58ToBytes(text.slice(PUBLIC_KEY_PREFIX.length), 32, field));
}

/** First byte of a private key in wallet import format. */
const WIF_VERSION = 0x80;
const WIF_CHECKSUM_BYTES = 4;

function wifChecksum(payload: Uint8Array): Uint8Array {
  const digest = hash('sha256', hash('sha256', payload, 'buffer'), 'buffer');
  return digest.subarray(0, WIF_CHECKSUM_BYTES);
}

/**
 * A private key in wallet import format: base58 of `80`, the 32 bytes, and four bytes of their double
 * SHA-256. Secret.
 */
export function formatWif(seed: Seed): string {
  const payload = concatBytes(Uint8Array.of(WIF_VERSION), seed);
  return bytesToBase58(concatBytes(payload, wifChecksum(payload)));
}

/**
 * Parses what `formatWif` gives.
 *
 * @throws {FormatError} for anything else; the message does not repeat the text.
 */
export function parseWif(text: string, field = 'private key'): Seed {
  const bytes = base58ToBytes(text, 1 + 32 + WIF_CHECKSUM_BYTES, field);
  const payload = bytes.subarray(0, -WIF_CHECKSUM_BYTES);
  if (payload[0] !== WIF_VERSION) throw new FormatError(field, 'not a private key in wallet import format');
  if (!equalBytes(wifChecksum(payload), bytes.subarray(-WIF_CHECKSUM_BYTES))) {
    throw new FormatError(field, 'wrong checksum');
  }
  return toSeed(payload.slice(1));
}
