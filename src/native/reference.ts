import { randomBytes } from 'node:crypto';
import {
  blockIdOfHash,
  blockNumberOf,
  bytesToHex,
  createKeyPair,
  FormatError,
  formatPublicKey,
  formatWif,
  hexToBytes,
  type KeyPair,
  parseWif,
  readHex,
  toBlockId,
  toHash,
  toSeed,
} from '../protocol/index.ts';

/** A block returned by the interface, its hash (32 bytes), or its native id (20 bytes). */
export type BlockReference = string | Block;

interface Block {
  readonly hash: string;
  readonly timestamp?: number | bigint | string | undefined;
}

/** A transaction's fields about its reference block, and that block's time in Unix seconds if known. */
export interface ReadReference {
  readonly refBlockNum: number;
  readonly refBlockPrefix: number;
  readonly timestamp: number | undefined;
}

const FIELD = 'reference block';
const ID_BYTES = 20;
const HASH_BYTES = 32;
/** Offset of the prefix in the id. */
const PREFIX_OFFSET = 4;

/** Reads a reference. @throws {FormatError} for any value that identifies no block */
export function readReference(reference: BlockReference): ReadReference {
  const block = typeof reference === 'string' ? { hash: reference } : reference;
  // A JavaScript program may pass null or undefined, the result for a missing block.
  const { hash, timestamp }: Partial<Block> = { ...block };
  const id = idOf(hash);
  return {
    refBlockNum: blockNumberOf(id) & 0xffff,
    refBlockPrefix: new DataView(id.buffer, id.byteOffset).getUint32(PREFIX_OFFSET, true),
    timestamp: timestamp === undefined ? undefined : secondsOf(timestamp),
  };
}

function idOf(text: unknown) {
  const bytes = typeof text === 'string' ? readHex(text.replace(/^0x/, '')) : undefined;
  if (bytes?.length === ID_BYTES) return toBlockId(bytes);
  const id = bytes?.length === HASH_BYTES ? blockIdOfHash(toHash(bytes)) : undefined;
  if (id === undefined) throw new FormatError(FIELD, 'must be the hash of a block, or its id of 20 bytes');
  return id;
}

function secondsOf(timestamp: number | bigint | string): number {
  const seconds = Number(timestamp);
  if (Number.isSafeInteger(seconds) && seconds >= 0) return seconds;
  throw new FormatError(`${FIELD}.timestamp`, 'must be Unix seconds');
}

const SEED_BYTES = 32;

/** A private key of the ledger: Ed25519 with SHA3-512. Printing the object does not reveal the key. */
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
