import {
  compareBytes,
  FP_BYTES,
  FP2_BYTES,
  FR_BYTES,
  GT_BYTES,
  invariant,
  MclCurve,
} from '../../protocol/index.ts';
import { BATCH, CurveGroup } from './curve-group.ts';
import { booleanWord } from './precompile.ts';

/** Bytes of a scalar in an input: any number below 2^256. */
export const SCALAR_BYTES = 32;

/** Bytes of a unit of the precomputed lines of a point of G2. */
const LINE_BYTES = 8;

/** The encoding of a curve's points in inputs and outputs. */
export interface CurveEncoding {
  /** The library's number of the curve. */
  readonly curve: number;
  /** Modulus of the field, big endian, with the length of a coordinate in an input. */
  readonly modulus: Uint8Array;
  /** True if the imaginary part of a coordinate of G2 precedes the real one. */
  readonly isImaginaryFirst: boolean;
}

/** A curve with a pairing, in a separate instance of the library. */
export class PairingCurve {
  readonly library: MclCurve;
  readonly g1: CurveGroup;
  readonly g2: CurveGroup;
  /** Pointer to a batch of scalars. */
  readonly scalars: number;
  readonly #encoding: CurveEncoding;
  /** Bytes of a coordinate without the leading zeros of its encoding. */
  readonly #digits: number;
  readonly #exchange: number;
  /** Pointers to the product of pairings so far, and to a further factor. */
  readonly #product: number;
  readonly #factor: number;

  constructor(encoding: CurveEncoding) {
    this.#encoding = encoding;
    this.#digits = Math.min(encoding.modulus.length, FP_BYTES);
    this.library = new MclCurve(encoding.curve);
    this.#exchange = this.library.allocate(FP_BYTES);
    this.scalars = this.library.allocate(BATCH * FR_BYTES);
    this.#product = this.library.allocate(2 * GT_BYTES);
    this.#factor = this.#product + GT_BYTES;
    const { functions } = this.library;
    this.g1 = new CurveGroup(this.library, 'G1', {
      inputBytes: encoding.modulus.length,
      memoryBytes: FP_BYTES,
      read: (input, offset, pointer) => this.readField(input, offset, pointer),
      write: (pointer, output, offset) => this.#writeField(pointer, output, offset),
      writeOne: (pointer) => functions.mclBnFp_setInt32(pointer, 1),
    });
    this.g2 = new CurveGroup(this.library, 'G2', {
      inputBytes: 2 * encoding.modulus.length,
      memoryBytes: FP2_BYTES,
      read: (input, offset, pointer) => this.readPair(input, offset, pointer),
      write: (pointer, output, offset) => this.#writePair(pointer, output, offset),
      writeOne: (pointer) => {
        functions.mclBnFp_setInt32(pointer, 1);
        functions.mclBnFp_setInt32(pointer + FP_BYTES, 0);
      },
    });
  }

  /** Returns the pointer to a scalar of the batch. */
  scalar(index: number): number {
    return this.scalars + index * FR_BYTES;
  }

  /** Reads an element of the field to a pointer. Returns false if it is not below the modulus. */
  readField(input: Uint8Array, offset: number, pointer: number): boolean {
    const { modulus } = this.#encoding;
    const end = offset + modulus.length;
    if (compareBytes(input.subarray(offset, end), modulus) >= 0) return false;
    this.library.bytes.set(input.subarray(end - this.#digits, end), this.#exchange);
    this.library.functions.mclBnFp_setBigEndianMod(pointer, this.#exchange, this.#digits);
    return true;
  }

  /** Reads an element of the field's quadratic extension like `readField`. */
  readPair(input: Uint8Array, offset: number, pointer: number): boolean {
    const [real, imaginary] = this.#partsOf(offset);
    return this.readField(input, real, pointer) && this.readField(input, imaginary, pointer + FP_BYTES);
  }

  /** Reads a scalar to a pointer, modulo the order of the groups. */
  readScalar(input: Uint8Array, offset: number, pointer: number): void {
    this.library.bytes.set(input.subarray(offset, offset + SCALAR_BYTES), this.#exchange);
    this.library.functions.mclBnFr_setBigEndianMod(pointer, this.#exchange, SCALAR_BYTES);
  }

  #writeField(pointer: number, output: Uint8Array, offset: number): void {
    const length = this.library.functions.mclBnFp_serialize(this.#exchange, FP_BYTES, pointer);
    // The library writes numbers in little-endian order.
    const digits = this.library.bytes.slice(this.#exchange, this.#exchange + length).reverse();
    output.set(digits, offset + this.#encoding.modulus.length - length);
  }

  #writePair(pointer: number, output: Uint8Array, offset: number): void {
    const [real, imaginary] = this.#partsOf(offset);
    this.#writeField(pointer, output, real);
    this.#writeField(pointer + FP_BYTES, output, imaginary);
  }

  /** Returns the offsets of the real and the imaginary part of an element. */
  #partsOf(offset: number): [number, number] {
    const second = offset + this.#encoding.modulus.length;
    return this.#encoding.isImaginaryFirst ? [second, offset] : [offset, second];
  }

  /**
   * Checks if the product of the pairings of the input's points, each of G1 followed by one of G2, is one, as the empty
   * product is. Returns 1 or 0 as a word; undefined for an invalid point. Calls `checkTime` for each pair.
   */
  checkPairing(input: Uint8Array, checkTime?: () => void): Uint8Array | undefined {
    const { g1, g2 } = this;
    let count = 0;
    let isEmpty = true;
    const pairBytes = g1.pointBytes + g2.pointBytes;
    for (let offset = 0; offset < input.length; offset += pairBytes) {
      checkTime?.();
      const left = g1.pointer(count);
      const right = g2.pointer(count);
      if (!g1.readInSubgroup(input, offset, left)) return undefined;
      if (!g2.readInSubgroup(input, offset + g1.pointBytes, right)) return undefined;
      // A pairing with infinity is one.
      if (g1.isZero(left) || g2.isZero(right)) continue;
      count++;
      if (count < BATCH) continue;
      this.#multiply(count, isEmpty);
      count = 0;
      isEmpty = false;
    }
    if (count > 0) this.#multiply(count, isEmpty);
    else if (isEmpty) return booleanWord(true);
    return booleanWord(this.#isProductOne());
  }

  /** Multiplies the product by the pairings of the batch's first points, up to the final exponentiation. */
  #multiply(count: number, isFirst: boolean): void {
    const { functions } = this.library;
    const result = isFirst ? this.#product : this.#factor;
    functions.mclBn_millerLoopVec(result, this.g1.points, this.g2.points, count);
    if (!isFirst) functions.mclBnGT_mul(this.#product, this.#product, this.#factor);
  }

  /** Precomputes pairings with an encoded point of G2. Returns the pointer to the lines, which are never freed. */
  prepareG2(point: Uint8Array): number {
    const { functions } = this.library;
    const pointer = this.g2.pointer(0);
    invariant(this.g2.readInSubgroup(point, 0, pointer), 'the point is one of G2');
    const prepared = this.library.allocate(LINE_BYTES * functions.mclBn_getUint64NumToPrecompute());
    functions.mclBn_precomputeG2(prepared, pointer);
    return prepared;
  }

  /** True if the product of two pairings, of finite points of G1 with precomputed points of G2, is one. */
  isPreparedPairingOne(first: number, firstLines: number, second: number, secondLines: number): boolean {
    const { functions } = this.library;
    for (const point of [first, second]) functions.mclBnG1_normalize(point, point);
    functions.mclBn_precomputedMillerLoop2(this.#product, first, firstLines, second, secondLines);
    return this.#isProductOne();
  }

  #isProductOne(): boolean {
    const { functions } = this.library;
    functions.mclBn_finalExp(this.#product, this.#product);
    return functions.mclBnGT_isOne(this.#product) === 1;
  }
}
