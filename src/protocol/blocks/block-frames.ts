import { ByteWriter } from '../bytes/byte-writer.ts';
import { DecodeError, FormatError } from '../protocol-errors.ts';

/** Greatest length that the four bytes before a block can hold. */
const LONGEST_BLOCK = 2 ** 32 - 1;

/** Bytes of the length before a block. */
const LENGTH_BYTES = 4;

/** Initial capacity for a block; it grows with the bytes received. */
const INITIAL_CAPACITY = 64 * 1024;

/**
 * Joins serialized blocks, each preceded by its length in bytes: a uint32, little endian like all integers of the
 * format.
 *
 * @throws {FormatError} for a block of no bytes, or of more than a uint32 can count
 */
export function frameBlocks(blocks: readonly Uint8Array[]): Uint8Array {
  const writer = new ByteWriter();
  for (const [index, block] of blocks.entries()) {
    if (block.length === 0 || block.length > LONGEST_BLOCK) {
      throw new FormatError(`frames[${index}]`, `a block of ${block.length} bytes`);
    }
    writer.writeUint32(block.length);
    writer.writeBytes(block);
  }
  return writer.finish();
}

export interface FrameBounds {
  readonly blocksMax: number;
  /** Bytes of all blocks together with their lengths. */
  readonly bytesMax: number;
  /** Bytes of the beginning of each block that are checked before the rest is stored. */
  readonly headBytes: number;
  /** Bytes of the shortest and of the longest block; absent: 1, and `bytesMax`. */
  readonly blockBytesMin?: number;
  readonly blockBytesMax?: number;
}

/** Checks the beginning of a block of `length` bytes before the rest is stored. May throw. */
type HeadCheck = (head: Uint8Array, length: number) => void;

/**
 * A reader of the output of `frameBlocks`, in chunks of any length. It buffers one block at a time. The buffer grows
 * with the received bytes, not with the claimed length.
 */
export class FrameReader {
  readonly #bounds: FrameBounds;
  readonly #checkHead: HeadCheck;
  #buffer = new Uint8Array(INITIAL_CAPACITY);
  /** Received bytes of the current length or block. */
  #received = 0;
  /** Length of the current block; undefined while it is read. */
  #length: number | undefined;
  #isHeadChecked = false;
  /** Bytes read. */
  #offset = 0;
  #count = 0;

  /** @param checkHead gets the first `headBytes` of each block, or all of a shorter one, and may throw */
  constructor(bounds: FrameBounds, checkHead: HeadCheck) {
    this.#bounds = bounds;
    this.#checkHead = checkHead;
  }

  /** Blocks returned. */
  get count(): number {
    return this.#count;
  }

  /**
   * Returns copies of the blocks that a further chunk completes. Reads no byte after a block before the caller requests
   * the next one.
   *
   * @throws {DecodeError} for an empty block or a violated bound, and errors of `checkHead`
   */
  *read(chunk: Uint8Array): Generator<Uint8Array, void, undefined> {
    let rest = chunk;
    while (rest.length > 0) {
      rest = rest.subarray(this.#take(rest));
      if (this.#length === undefined) {
        if (this.#received === LENGTH_BYTES) this.#begin();
        continue;
      }
      this.#examineHead(this.#length);
      if (this.#received === this.#length) yield this.#finishBlock();
    }
  }

  /** @throws {DecodeError} if the frames end within a block */
  finish(): void {
    if (this.#length === undefined && this.#received === 0) return;
    const missing = (this.#length ?? LENGTH_BYTES) - this.#received;
    throw this.#failure(`the end comes ${missing} bytes too early`);
  }

  /** Buffers the bytes that are needed next. Returns their number. */
  #take(rest: Uint8Array): number {
    const { headBytes } = this.#bounds;
    const total = this.#length ?? LENGTH_BYTES;
    const needed = this.#length === undefined || this.#isHeadChecked ? total : Math.min(total, headBytes);
    const taken = rest.subarray(0, needed - this.#received);
    this.#ensureCapacity(this.#received + taken.length, total);
    this.#buffer.set(taken, this.#received);
    this.#received += taken.length;
    this.#offset += taken.length;
    return taken.length;
  }

  #ensureCapacity(bytes: number, max: number): void {
    if (bytes <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.min(Math.max(bytes, 2 * this.#buffer.length), max));
    larger.set(this.#buffer.subarray(0, this.#received));
    this.#buffer = larger;
  }

  #begin(): void {
    const { blocksMax, bytesMax, blockBytesMin = 1, blockBytesMax = bytesMax } = this.#bounds;
    const length = new DataView(this.#buffer.buffer).getUint32(0, true);
    if (length === 0) throw this.#failure('a block of 0 bytes');
    if (this.#count === blocksMax) throw this.#failure(`more than ${blocksMax} blocks`);
    if (length < blockBytesMin) {
      throw this.#failure(`a block of ${length} bytes, and none has fewer than ${blockBytesMin}`);
    }
    if (length > blockBytesMax) {
      throw this.#failure(`a block of ${length} bytes, and none has more than ${blockBytesMax}`);
    }
    if (this.#offset + length > bytesMax) throw this.#failure(`more than ${bytesMax} bytes`);
    this.#length = length;
    this.#received = 0;
  }

  #examineHead(length: number): void {
    if (this.#isHeadChecked || this.#received < Math.min(length, this.#bounds.headBytes)) return;
    this.#checkHead(this.#buffer.slice(0, this.#received), length);
    this.#isHeadChecked = true;
  }

  #finishBlock(): Uint8Array {
    const block = this.#buffer.slice(0, this.#received);
    if (this.#buffer.length > INITIAL_CAPACITY) this.#buffer = new Uint8Array(INITIAL_CAPACITY);
    this.#length = undefined;
    this.#received = 0;
    this.#isHeadChecked = false;
    this.#count += 1;
    return block;
  }

  #failure(reason: string): DecodeError {
    return new DecodeError(`frames[${this.#count}]`, this.#offset, reason);
  }
}
