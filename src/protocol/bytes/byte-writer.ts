import { Buffer } from 'node:buffer';
import { FormatError } from '../protocol-errors.ts';
import type { NativeBuffer } from './bytes.ts';

const INITIAL_BYTES = 1024;
/** Seven bits of a number go into one byte of a varint. */
const VARINT_BASE = 0x80;

/** A buffer that grows while the parts of a structure are appended to it; integers are little endian. */
export class ByteWriter {
  #bytes: NativeBuffer;
  /** The same memory: a part of a Buffer is a view, and a part of this a copy. */
  #array: Uint8Array;
  #view: DataView;
  #length = 0;

  constructor() {
    this.#bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES) as NativeBuffer;
    this.#array = new Uint8Array(this.#bytes.buffer);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Bytes of the content. */
  get length(): number {
    return this.#length;
  }

  /** Returns a copy of the content, behind bytes that precede it, and discards the content. */
  finish(start?: Uint8Array): Uint8Array {
    const length = this.#length;
    this.#length = 0;
    if (start === undefined) return this.#array.slice(0, length);
    const whole = new Uint8Array(start.length + length);
    whole.set(start);
    whole.set(this.#array.subarray(0, length), start.length);
    return whole;
  }

  #reserve(count: number): number {
    const offset = this.#length;
    this.#length += count;
    if (this.#length > this.#bytes.length) this.#grow(offset);
    return offset;
  }

  /** Makes room for the new length, and keeps the bytes before an offset. */
  #grow(offset: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#length, this.#bytes.length * 2)) as NativeBuffer;
    larger.set(this.#bytes.subarray(0, offset));
    this.#bytes = larger;
    this.#array = new Uint8Array(larger.buffer);
    this.#view = new DataView(larger.buffer);
  }

  // Most parts are short numbers: without calls of other functions they take a fraction of the time.

  writeUint8(value: number): void {
    const offset = this.#length;
    this.#length += 1;
    if (this.#length > this.#bytes.length) this.#grow(offset);
    this.#array[offset] = value;
  }

  writeUint16(value: number): void {
    const offset = this.#reserve(2);
    this.#view.setUint16(offset, value, true);
  }

  writeUint32(value: number): void {
    const offset = this.#reserve(4);
    this.#view.setUint32(offset, value, true);
  }

  /** Writes the low 64 bits: an unsigned or a signed number in two's complement. */
  writeUint64(value: bigint): void {
    const offset = this.#length;
    this.#length += 8;
    if (this.#length > this.#bytes.length) this.#grow(offset);
    this.#view.setBigUint64(offset, value, true);
  }

  /** Writes an unsigned LEB128 of a safe integer, in as few bytes as possible. */
  writeVarint(value: number): void {
    let rest = value;
    while (rest >= VARINT_BASE) {
      this.writeUint8((rest % VARINT_BASE) | VARINT_BASE);
      rest = Math.floor(rest / VARINT_BASE);
    }
    const offset = this.#length;
    this.#length += 1;
    if (this.#length > this.#bytes.length) this.#grow(offset);
    this.#array[offset] = rest;
  }

  writeBytes(bytes: Uint8Array): void {
    const offset = this.#reserve(bytes.length);
    this.#bytes.set(bytes, offset);
  }

  /** Writes a length in bytes, then UTF-8. @throws {FormatError} for a lone surrogate, which UTF-8 cannot hold */
  writeString(text: string): void {
    const length = Buffer.byteLength(text);
    // Only ASCII has as many bytes as characters, and needs no search for lone surrogates.
    if (length !== text.length && /\p{Surrogate}/u.test(text))
      throw new FormatError('', 'not a Unicode text');
    this.writeVarint(length);
    const offset = this.#reserve(length);
    this.#bytes.utf8Write(text, offset, length);
  }
}
