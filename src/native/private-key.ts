import { randomBytes } from 'node:crypto';
import {
  bytesToHex,
  createKeyPair,
  FormatError,
  formatPublicKey,
  formatWif,
  hexToBytes,
  type KeyPair,
  parseWif,
  toSeed,
} from '../protocol/index.ts';

const SEED_BYTES = 32;

/** A private key of the ledger: Ed25519 with SHA3-512. Printing it reveals nothing of it. */
export class PrivateKey {
  readonly #keys: KeyPair;

  private constructor(keys: KeyPair) {
    this.#keys = keys;
  }

  /** Generates a key from the system's random source. */
  static generate(): PrivateKey {
    return PrivateKey.fromBytes(randomBytes(SEED_BYTES));
  }

  /** Returns the key of a copy of 32 bytes. Throws an error with the code `FORMAT` for another number of bytes. */
  static fromBytes(bytes: Uint8Array): PrivateKey {
    return new PrivateKey(createKeyPair(toSeed(Uint8Array.from(bytes))));
  }

  /**
   * Parses 64 hexadecimal digits, with or without `0x`, or the wallet import format (base58). Throws an error with the
   * code `FORMAT` for another text, without repeating it.
   */
  static parse(text: string): PrivateKey {
    const [, digits] = /^(?:0x)?([0-9a-f]{64})$/i.exec(text) ?? [];
    if (digits !== undefined) return PrivateKey.fromBytes(hexToBytes(digits));
    try {
      return new PrivateKey(createKeyPair(parseWif(text)));
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      throw new FormatError('private key', 'must be 64 hexadecimal digits, or in wallet import format');
    }
  }

  /** The public key: `ECHO`, then base58 of its 32 bytes. */
  get publicKey(): string {
    return formatPublicKey(this.#keys.publicKey);
  }

  /** Signs a message deterministically: 64 bytes. */
  sign(message: Uint8Array): Uint8Array {
    return this.#keys.sign(message);
  }

  /** Returns the key as `0x` and 64 digits. Secret. */
  toHex(): string {
    return `0x${bytesToHex(this.#keys.seed)}`;
  }

  /** Returns the key in wallet import format. Secret. */
  toWif(): string {
    return formatWif(this.#keys.seed);
  }
}
