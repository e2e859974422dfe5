import { createECDH } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import {
  type Address,
  concatBytes,
  createKeyPair,
  hashedAddress,
  keccak256,
  type PublicKey,
  type Seed,
  sha256,
  signDigest,
  toSeed,
  utf8ToBytes,
} from '../protocol/index.ts';

/** Separates the keys of test accounts from other keys of the same text. */
const DERIVATION_DOMAIN = 'ledgerd test account';

/** Separates the producer's key of a test chain from those of the accounts. */
const PRODUCER_DOMAIN = 'ledgerd test producer';

/** A key of test mode with its registered public parts. */
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
 * text>:<i>` (UTF-8, `i` in decimal digits), hashed again while it is no private key of secp256k1 (once in 2^128 keys).
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
 * Derives the key of a test chain's producer, which signs its blocks and pays for registrations: as {@link
 * deriveTestAccounts} does, from `ledgerd test producer:<seed text>`.
 */
export function deriveProducerSeed(seedText: string): Seed {
  return deriveSeed(`${PRODUCER_DOMAIN}:${seedText}`);
}

function deriveSeed(text: string): Seed {
  let candidate = sha256(utf8ToBytes(text));
  while (!secp256k1.utils.isValidSecretKey(candidate)) candidate = sha256(candidate);
  return toSeed(candidate);
}

/** Generates a key of both curves from the system's random source. */
export function generateSeed(): Seed {
  return toSeed(secp256k1.utils.randomSecretKey());
}

/** Returns true if 32 bytes are a private key of secp256k1 (any 32 bytes are an Ed25519 seed). */
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
  return hashedAddress(publicKeyOf(seed, 'uncompressed').subarray(1));
}

/** Computes the public key of a private one, in 33 or 65 bytes. */
export function publicKeyOf(privateKey: Uint8Array, form: 'compressed' | 'uncompressed'): Uint8Array {
  // OpenSSL needs no tables for it, which take noble longer than the rest of a start.
  const curve = createECDH('secp256k1');
  curve.setPrivateKey(privateKey);
  return curve.getPublicKey(null, form);
}

/**
 * Signs a message as `eth_sign` does (docs/interface.md#test-mode; ERC-191 version 0x45). Returns 65 bytes r ‖ s ‖ v.
 */
export function signPersonalMessage(seed: Seed, message: Uint8Array): Uint8Array {
  return signatureOf(seed, personalMessageHash(message));
}

/**
 * Signs a digest of 32 bytes as Ethereum's wallets do.
 *
 * @returns 65 bytes: r (32), s (32, the lower of the two), v (27 or 28)
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
