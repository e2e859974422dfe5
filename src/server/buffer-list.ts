import { COALESCED_CHUNK_BYTES } from '../limits.ts';

/** Bytes of the first piece that is made for small ones. */
const FIRST_PIECE_BYTES = 1_024;

/**
 * Bytes that arrive in pieces of any size. Small pieces are copied together, since each takes many times its bytes: a
 * body that is sent byte by byte would otherwise take hundreds of times its counted bytes.
 */
export class BufferList {
  #pieces: Buffer[] = [];
  /** The piece to which small ones are copied, and its used bytes. */
  #open: Buffer | undefined;
  #used = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(bytes: Buffer): void {
    const rest = this.#fill(bytes);
    // A single piece is not copied.
    if (this.#length === 0 || rest.length >= COALESCED_CHUNK_BYTES / 2) {
      this.#pieces.push(rest);
    } else if (rest.length > 0) {
      // The room grows with the length, so that a short text takes little.
      const room = Math.max(FIRST_PIECE_BYTES, rest.length, Math.min(this.#length, COALESCED_CHUNK_BYTES));
      this.#open = Buffer.allocUnsafeSlow(room);
      this.#used = rest.copy(this.#open);
    }
    this.#length += bytes.length;
  }

  /** Takes all of them out, in order. */
  take(): Buffer[] {
    this.#close();
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#length = 0;
    return pieces;
  }

  /** Copies bytes into the room of the open piece; returns the rest. */
  #fill(bytes: Buffer): Buffer {
    if (this.#open === undefined) return bytes;
    const copied = bytes.copy(this.#open, this.#used);
    this.#used += copied;
    if (this.#used === this.#open.length) this.#close();
    return bytes.subarray(copied);
  }

  #close(): void {
    if (this.#open === undefined) return;
    this.#pieces.push(this.#open.subarray(0, this.#used));
    this.#open = undefined;
    this.#used = 0;
  }
}
