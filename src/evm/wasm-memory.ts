import { type Address, type Hash, toAddress, toHash } from '../protocol/index.ts';

const WORD_BYTES = 32;
const ADDRESS_BYTES = 20;
const LIMB_BITS = 64n;

/**
 * The engine's linear memory as the host sees it. Growth detaches the views, which have no length then, and they are
 * made anew; no caller keeps one over a call of the engine.
 */
export class WasmMemory {
  readonly #memory: WebAssembly.Memory;
  #bytes: Uint8Array;
  #view: DataView;

  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory;
    this.#bytes = new Uint8Array(memory.buffer);
    this.#view = new DataView(memory.buffer);
  }

  get size(): number {
    return this.bytes.length;
  }

  get bytes(): Uint8Array {
    if (this.#bytes.length === 0) this.#refresh();
    return this.#bytes;
  }

  get view(): DataView {
    if (this.#bytes.length === 0) this.#refresh();
    return this.#view;
  }

  #refresh(): void {
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#view = new DataView(this.#memory.buffer);
  }

  readNumber(pointer: number): number {
    return this.view.getUint32(pointer, true);
  }

  writeNumber(pointer: number, value: number): void {
    this.view.setUint32(pointer, value, true);
  }

  readLong(pointer: number): bigint {
    return this.view.getBigUint64(pointer, true);
  }

  /** Writes a number of at most 64 bits. */
  writeLong(pointer: number, value: bigint): void {
    this.view.setBigUint64(pointer, value, true);
  }

  /** Returns bytes as they lie in memory; pointer and length may be signed numbers. */
  window(pointer: number, length: number): Uint8Array {
    return this.bytes.subarray(pointer >>> 0, (pointer >>> 0) + (length >>> 0));
  }

  /** Copies bytes out. */
  read(pointer: number, length: number): Uint8Array {
    return this.bytes.slice(pointer, pointer + length);
  }

  write(pointer: number, bytes: Uint8Array): void {
    this.bytes.set(bytes, pointer);
  }

  /** Reads a word as a number. */
  readWord(pointer: number): bigint {
    const view = this.view;
    if (isLimb(view, pointer)) return view.getBigUint64(pointer, true);
    let value = 0n;
    for (let offset = WORD_BYTES - 8; offset >= 0; offset -= 8) {
      value = (value << LIMB_BITS) | view.getBigUint64(pointer + offset, true);
    }
    return value;
  }

  /** Writes a number as a word, modulo 2^256. */
  writeWord(pointer: number, value: bigint): void {
    const view = this.view;
    if (value === 0n) {
      for (let offset = 0; offset < WORD_BYTES; offset += 4) view.setUint32(pointer + offset, 0, true);
      return;
    }
    let rest = value;
    for (let offset = 0; offset < WORD_BYTES; offset += 8) {
      view.setBigUint64(pointer + offset, BigInt.asUintN(64, rest), true);
      rest >>= LIMB_BITS;
    }
  }

  /** Reads a word as 32 bytes, the most significant one first. */
  readWordBytes(pointer: number): Uint8Array {
    return this.read(pointer, WORD_BYTES).reverse();
  }

  /** Writes up to 32 bytes, the most significant one first, as a word. */
  writeWordBytes(pointer: number, bytes: Uint8Array): void {
    const view = this.view;
    let next = bytes.length;
    for (let offset = 0; offset < WORD_BYTES; offset += 4) {
      let part = 0;
      for (let shift = 0; shift < 32 && next > 0; shift += 8) {
        part |= (bytes[--next] as number) << shift; // 0 <= next < bytes.length
      }
      view.setUint32(pointer + offset, part, true);
    }
  }

  /** Reads a word whose lower 20 bytes are an address. */
  readAddress(pointer: number): Address {
    return toAddress(this.read(pointer, ADDRESS_BYTES).reverse());
  }

  /** Reads 32 bytes in their order, such as those of a code hash. */
  readHash(pointer: number): Hash {
    return toHash(this.read(pointer, WORD_BYTES));
  }
}

/** Tests whether a word is less than 2^64. */
function isLimb(view: DataView, pointer: number): boolean {
  for (let offset = 8; offset < WORD_BYTES; offset += 4) {
    if (view.getUint32(pointer + offset, true) !== 0) return false;
  }
  return true;
}
