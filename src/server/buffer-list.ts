/** Size of the buffers into which small chunks are copied: that of a read from a socket. */
export const COALESCED_CHUNK_BYTES = 64 * 1024;

/** Bytes of the first buffer into which small chunks are copied. */
const FIRST_BUFFER_BYTES = 1_024;

/**
 * A list of buffers that coalesces small chunks. Each buffer has a large overhead: a body that is sent byte by byte
 * would otherwise take hundreds of times its counted bytes.
 */
export class BufferList {
  #buffers: Buffer[] = [];
  /** The buffer into which small chunks are copied, and its used bytes. */
  #open: Buffer | undefined;
  #used = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(bytes: Buffer): void {
    const rest = this.#fill(bytes);
    // A single chunk is not copied.
    if (this.#length === 0 || rest.length >= COALESCED_CHUNK_BYTES / 2) {
      this.#buffers.push(rest);
    } else if (rest.length > 0) {
      // The size grows with the length, so that a short text takes little.
      const size = Math.max(FIRST_BUFFER_BYTES, rest.length, Math.min(this.#length, COALESCED_CHUNK_BYTES));
      this.#open = Buffer.allocUnsafeSlow(size);
      this.#used = rest.copy(this.#open);
    }
    this.#length += bytes.length;
  }

  /** Removes and returns all buffers, in order. */
  take(): Buffer[] {
    this.#close();
    const buffers = this.#buffers;
    this.#buffers = [];
    this.#length = 0;
    return buffers;
  }

  /** Copies bytes into the open buffer; returns those that do not fit. */
  #fill(bytes: Buffer): Buffer {
    if (this.#open === undefined) return bytes;
    const copied = bytes.copy(this.#open, this.#used);
    this.#used += copied;
    if (this.#used === this.#open.length) this.#close();
    return bytes.subarray(copied);
  }

  #close(): void {
    if (this.#open === undefined) return;
    this.#buffers.push(this.#open.subarray(0, this.#used));
    this.#open = undefined;
    this.#used = 0;
  }
}
