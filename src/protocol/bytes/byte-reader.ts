import { DecodeError } from '../protocol-errors.ts';
import { bytesToUtf8 } from './bytes.ts';

/** Bytes of the longest varint that is a safe integer: 53 bits at seven a byte. */
const VARINT_BYTES = 8;

/** A reader of the parts of a structure, never past the input; integers are little endian. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    // A plain view: `slice` of a Buffer would share the memory of the input, which the caller may reuse.
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Bytes read so far. */
  get offset(): number {
    return this.#offset;
  }

  /** Bytes left. */
  get remaining(): number {
    return this.#bytes.length - this.#offset;
  }

  /** Returns the error for the part at `offset`; the enclosing structures add the field's path. */
  failure(reason: string, offset: number): DecodeError {
    return new DecodeError('', offset, reason);
  }

  #take(count: number): number {
    const offset = this.#offset;
    if (count > this.#bytes.length - offset) {
      throw this.failure(`needs ${count} bytes, ${this.#bytes.length - offset} are left`, offset);
    }
    this.#offset = offset + count;
    return offset;
  }

  readUint8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  readUint16(): number {
    return this.#view.getUint16(this.#take(2), true);
  }

  readUint32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  readUint64(): bigint {
    return this.#view.getBigUint64(this.#take(8), true);
  }

  readInt64(): bigint {
    return this.#view.getBigInt64(this.#take(8), true);
  }

  /** Reads an unsigned LEB128 of 0 to `max`, a safe integer, in its shortest form only. */
  readVarint(max: number): number {
    const start = this.#offset;
    let value = 0;
    let scale = 1;
    for (let count = 1; ; count++) {
      const byte = this.readUint8();
      // Not shifts: they would cut the number to 32 bits.
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        if (byte === 0 && count > 1) throw this.failure('varint is longer than needed', start);
        if (value > max) throw this.failure(`${value} is above ${max}`, start);
        return value;
      }
      if (count === VARINT_BYTES) throw this.failure('varint is too long', start);
      scale *= 0x80;
    }
  }

  /** Reads the number of elements that follow. Rejects more than the bytes left, since each takes at least one. */
  readCount(): number {
    const start = this.#offset;
    const count = this.readVarint(Number.MAX_SAFE_INTEGER);
    if (count > this.remaining) {
      throw this.failure(`${count} elements do not fit the ${this.remaining} bytes left`, start);
    }
    return count;
  }

  /** Returns a copy of the next bytes. */
  readBytes(count: number): Uint8Array {
    const offset = this.#take(count);
    return this.#bytes.slice(offset, offset + count);
  }

  skip(count: number): void {
    this.#take(count);
  }

  /** Reads a length in bytes, then that much valid UTF-8. */
  readString(): string {
    const length = this.readVarint(Number.MAX_SAFE_INTEGER);
    const offset = this.#take(length);
    const text = bytesToUtf8(this.#bytes.subarray(offset, offset + length));
    if (text === undefined) throw this.failure('not valid UTF-8', offset);
    return text;
  }
}
