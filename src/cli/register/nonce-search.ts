import { hash } from 'node:crypto';

/** A proof of work in a form for threads: docs/interface.md#registration. */
export interface SearchTask {
  /** 20 bytes. */
  readonly blockId: Uint8Array;
  /** A uint64. */
  readonly randNum: bigint;
  /** Zero bits that the hash must begin with, 0 to 256. */
  readonly difficulty: number;
}

const BLOCK_ID_BYTES = 20;
const NONCE_OFFSET = BLOCK_ID_BYTES + 8;
const HASH_BITS = 256;
const HASH_DIGITS = HASH_BITS / 4;

/** A search through successive nonces, whose bytes are written in place. */
export class NonceSearch {
  readonly #input = Buffer.alloc(NONCE_OFFSET + 8);
  readonly #bound: string;
  #low: number;
  #high: number;

  /** @param firstNonce a uint64, the first one to try */
  constructor({ blockId, randNum, difficulty }: SearchTask, firstNonce: bigint) {
    this.#input.set(blockId);
    this.#input.writeBigUInt64LE(randNum, BLOCK_ID_BYTES);
    this.#input.writeBigUInt64LE(firstNonce, NONCE_OFFSET);
    this.#bound = boundOf(difficulty);
    this.#low = this.#input.readUInt32LE(NONCE_OFFSET);
    this.#high = this.#input.readUInt32LE(NONCE_OFFSET + 4);
  }

  /** Tries the next `count` nonces; returns the first that solves the task, undefined if none does. */
  run(count: number): bigint | undefined {
    for (let tried = 0; tried < count; tried += 1) {
      // Digits of equal length are ordered like their numbers, and cost a quarter of bytes.
      if (hash('sha256', this.#input, 'hex') < this.#bound) return this.#input.readBigUInt64LE(NONCE_OFFSET);
      this.#advance();
    }
    return undefined;
  }

  /** Increments the nonce; the one after the greatest is 0. */
  #advance(): void {
    this.#low = (this.#low + 1) >>> 0;
    this.#input.writeUInt32LE(this.#low, NONCE_OFFSET);
    if (this.#low !== 0) return;
    this.#high = (this.#high + 1) >>> 0;
    this.#input.writeUInt32LE(this.#high, NONCE_OFFSET + 4);
  }
}

/** Returns the hexadecimal digits of the least invalid hash; a greater text if all hashes are valid. */
function boundOf(difficulty: number): string {
  if (difficulty === 0) return 'g';
  return (1n << BigInt(HASH_BITS - difficulty)).toString(16).padStart(HASH_DIGITS, '0');
}
