import { ByteWriter } from '../bytes/byte-writer.ts';
import { DecodeError, FormatError } from '../errors.ts';

/** Greatest length that the four bytes before a block can hold. */
const LONGEST_BLOCK = 2 ** 32 - 1;

/** Bytes of the length before a block. */
const LENGTH_BYTES = 4;

/** Initial capacity for a block; it grows with the bytes received. */
const FIRST_ROOM_BYTES = 64 * 1024;

/**
 * Joins serialized blocks, each behind its length in bytes: a uint32, little endian as all integers of the format.
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

/** Bounds of a reader of frames. */
export interface FrameBounds {
  readonly blocksMax: number;
  /** Bytes of all blocks together with their lengths. */
  readonly bytesMax: number;
  /** Bytes of the beginning of each block that are checked before the rest is kept. */
  readonly headBytes: number;
  /** Bytes of the shortest and of the longest block; absent: 1, and `bytesMax`. */
  readonly blockBytesMin?: number;
  readonly blockBytesMax?: number;
}

/** Checks the beginning of a block of so many bytes before the rest is kept; its errors end the reading. */
type HeadCheck = (head: Uint8Array, length: number) => void;

/**
 * A reader of the output of `frameBlocks`, in parts of any length. It holds one block at a time, in room that grows
 * with the received bytes and not with the claimed length.
 */
export class FrameReader {
  readonly #bounds: FrameBounds;
  readonly #checkHead: HeadCheck;
  #room = new Uint8Array(FIRST_ROOM_BYTES);
  /** Received bytes of the current length or block. */
  #held = 0;
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
   * The blocks that are whole with a further part, as copies. Nothing behind a block is looked at before the next one
   * is asked for.
   *
   * @throws {DecodeError} for a block of no bytes and for what is beyond the bounds, and what `checkHead` throws
   */
  *read(part: Uint8Array): Generator<Uint8Array, void, undefined> {
    let rest = part;
    while (rest.length > 0) {
      rest = rest.subarray(this.#take(rest));
      if (this.#length === undefined) {
        if (this.#held === LENGTH_BYTES) this.#begin();
        continue;
      }
      this.#lookAtHead(this.#length);
      if (this.#held === this.#length) yield this.#finishBlock();
    }
  }

  /** @throws {DecodeError} where the frames end within a block */
  finish(): void {
    if (this.#length === undefined && this.#held === 0) return;
    const missing = (this.#length ?? LENGTH_BYTES) - this.#held;
    throw this.#failure(`the end comes ${missing} bytes too early`);
  }

  /** Keeps as many bytes as are needed next; returns their number. */
  #take(rest: Uint8Array): number {
    const { headBytes } = this.#bounds;
    const whole = this.#length ?? LENGTH_BYTES;
    const needed = this.#length === undefined || this.#isHeadChecked ? whole : Math.min(whole, headBytes);
    const taken = rest.subarray(0, needed - this.#held);
    this.#makeRoom(this.#held + taken.length, whole);
    this.#room.set(taken, this.#held);
    this.#held += taken.length;
    this.#offset += taken.length;
    return taken.length;
  }

  #makeRoom(bytes: number, most: number): void {
    if (bytes <= this.#room.length) return;
    const larger = new Uint8Array(Math.min(Math.max(bytes, 2 * this.#room.length), most));
    larger.set(this.#room.subarray(0, this.#held));
    this.#room = larger;
  }

  #begin(): void {
    const { blocksMax, bytesMax, blockBytesMin = 1, blockBytesMax = bytesMax } = this.#bounds;
    const length = new DataView(this.#room.buffer).getUint32(0, true);
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
    this.#held = 0;
  }

  #lookAtHead(length: number): void {
    if (this.#isHeadChecked || this.#held < Math.min(length, this.#bounds.headBytes)) return;
    this.#checkHead(this.#room.slice(0, this.#held), length);
    this.#isHeadChecked = true;
  }

  #finishBlock(): Uint8Array {
    const block = this.#room.slice(0, this.#held);
    if (this.#room.length > FIRST_ROOM_BYTES) this.#room = new Uint8Array(FIRST_ROOM_BYTES);
    this.#length = undefined;
    this.#held = 0;
    this.#isHeadChecked = false;
    this.#count += 1;
    return block;
  }

  #failure(reason: string): DecodeError {
    return new DecodeError(`frames[${this.#count}]`, this.#offset, reason);
  }
}
