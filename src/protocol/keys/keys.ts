import { hash } from 'node:crypto';
import { base58ToBytes, bytesToBase58 } from '../bytes/base58.ts';
import {
  concatBytes,
  equalBytes,
  type PublicKey,
  type Seed,
  type Signature,
  toPublicKey,
  toSeed,
  toSignature,
} from '../bytes/bytes.ts';
import { FormatError } from '../protocol-errors.ts';
import { expandSeed, sign, verify } from './signature-module.ts';

/** Prefix of a public key's base58. */
export const PUBLIC_KEY_PREFIX = 'ECHO';

/**
 * A private key that can sign, and its public key.
 *
 * Signatures are Ed25519 (RFC 8032) with SHA3-512 instead of SHA-512. Therefore the platform's Ed25519, which has a
 * fixed hash, can neither create nor verify them.
 */
export interface KeyPair {
  readonly seed: Seed;
  readonly publicKey: PublicKey;
  /** Signs a message of any length deterministically. */
  sign(message: Uint8Array): Signature;
}

/** Creates the key pair of a copy of a private key. signature-module.ts states the guarantees for its secrets. */
export function createKeyPair(seed: Seed): KeyPair {
  const copy = toSeed(Uint8Array.from(seed));
  const key = expandSeed(copy);
  return {
    seed: copy,
    // A copy: signing with a modified public key would reveal the private key.
    publicKey: toPublicKey(key.publicKey.slice()),
    sign: (message) => toSignature(sign(key, message)),
  };
}

/**
 * Returns true for a signature of the message by this key; false also for malformed ones.
 *
 * Consensus depends on every case. The encodings of key and nonce point must be canonical by RFC 8032 (y below p, no
 * sign of an x of 0), unlike in ZIP 215. The scalar must be below the order. A key of small order (a divisor of 8) is
 * invalid. The equation is the RFC's with the cofactor 8, which ignores components of small order in a key or a nonce
 * point.
 */
export function verifySignature(publicKey: PublicKey, message: Uint8Array, signature: Signature): boolean {
  return verify(publicKey, message, signature);
}

/** Returns `ECHO`, then base58 of the 32 bytes, without checksum. */
export function formatPublicKey(publicKey: PublicKey): string {
  return PUBLIC_KEY_PREFIX + bytesToBase58(publicKey);
}

/** Parses the output of `formatPublicKey`. @throws {FormatError} for anything else */
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

/** Formats a key in wallet import format: base58 of `80`, the 32 bytes, and 4 bytes of their double SHA-256. Secret. */
export function formatWif(seed: Seed): string {
  const payload = concatBytes(Uint8Array.of(WIF_VERSION), seed);
  return bytesToBase58(concatBytes(payload, wifChecksum(payload)));
}

/** Parses the output of `formatWif`. @throws {FormatError} for anything else, without repeating the text */
export function parseWif(text: string, field = 'private key'): Seed {
  const bytes = base58ToBytes(text, 1 + 32 + WIF_CHECKSUM_BYTES, field);
  const payload = bytes.subarray(0, -WIF_CHECKSUM_BYTES);
  if (payload[0] !== WIF_VERSION) throw new FormatError(field, 'not a private key in wallet import format');
  if (!equalBytes(wifChecksum(payload), bytes.subarray(-WIF_CHECKSUM_BYTES))) {
    throw new FormatError(field, 'wrong checksum');
  }
  return toSeed(payload.slice(1));
}
