import { createECDH } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import {
  type Address,
  concatBytes,
  createKeyPair,
  keccak256,
  type PublicKey,
  type Seed,
  sha256,
  signDigest,
  toAddress,
  toSeed,
  utf8ToBytes,
} from '../protocol/index.ts';

/** Separates the keys of test accounts from whatever else may be derived from the same text. */
const DERIVATION_DOMAIN = 'ledgerd test account';

/** Separates the key of the test chain's producer from those of the accounts. */
const PRODUCER_DOMAIN = 'ledgerd test producer';

/** Bytes of an address, at the end of the hash of a public key. */
const ADDRESS_BYTES = 20;

/** A key of test mode with what the ledger registers of it. */
export interface TestAccount {
  /** 32 bytes: the Ed25519 seed for the ledger and the secp256k1 private key for `eth_sign`. */
  readonly seed: Seed;
  /** The Ed25519 public key. */
  readonly publicKey: PublicKey;
  /** The address that Ethereum derives from the secp256k1 key. */
  readonly evmAddress: Address;
}

/**
 * Derives the test accounts of a text, the same ones on every start.
 *
 * Key `i` is SHA-256 of `ledgerd test account:<seed text>:<i>` (UTF-8, `i` in decimal digits), hashed again while it is
 * no private key of secp256k1 (which happens once in 2^128 keys).
 *
 * @param seedText any text; it is no secret
 * @param count how many accounts, at least 0
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

/** Generates a new key from the system's random source: 32 bytes that are a key of both curves. */
export function generateSeed(): Seed {
  return toSeed(secp256k1.utils.randomSecretKey());
}

/** Tells whether 32 bytes are a private key of secp256k1 (every 32 bytes are an Ed25519 seed). */
export function isValidSeed(bytes: Uint8Array): boolean {
  return secp256k1.utils.isValidSecretKey(bytes);
}

/** Computes both public sides of a key. */
export function testAccountOf(seed: Seed): TestAccount {
  return { seed, publicKey: createKeyPair(seed).publicKey, evmAddress: evmAddressOf(seed) };
}

/**
 * Computes the Ethereum address of a private key: the last 20 bytes of Keccak-256 of the uncompressed secp256k1 public
 * key without its leading 0x04 (Ethereum yellow paper, appendix F).
 */
export function evmAddressOf(seed: Seed): Address {
  // OpenSSL needs no tables for it, which take noble longer than the rest of a start.
  const curve = createECDH('secp256k1');
  curve.setPrivateKey(seed);
  return toAddress(keccak256(curve.getPublicKey().subarray(1)).slice(-ADDRESS_BYTES));
}

/**
 * Signs a message as `eth_sign` does (docs/interface.md#test-mode; ERC-191 version 0x45): ECDSA over Keccak-256 of the
 * prefix, the message's length in decimal digits and the message.
 *
 * @returns 65 bytes: r (32), s (32, the lower of the two), v (27 or 28)
 */
export function signPersonalMessage(seed: Seed, message: Uint8Array): Uint8Array {
  return signatureOf(seed, personalMessageHash(message));
}

/**
 * The signature of a digest as Ethereum's wallets write it.
 *
 * @param digest 32 bytes
 * @returns 65 bytes: r (32), s (32, the lower of the two), v (27 or 28)
 */
export function signatureOf(seed: Seed, digest: Uint8Array): Uint8Array {
  const { r, s, yParity } = signDigest(digest, seed);
  return concatBytes(r, s, Uint8Array.of(27 + yParity));
}

/** Computes the hash that `eth_sign` signs: Keccak-256 of prefix, decimal length and message. */
export function personalMessageHash(message: Uint8Array): Uint8Array {
  const prefix = utf8ToBytes(`\x19Ethereum Signed Message:\n${message.length}`);
  return keccak256(concatBytes(prefix, message));
}
