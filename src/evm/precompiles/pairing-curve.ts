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

/** Bytes of a factor of a point in an input: any number below 2^256. */
export const SCALAR_BYTES = 32;

/** Unit of what is prepared of a point of G2. */
const LINE_BYTES = 8;

/** How contracts read and write the points of a curve. */
export interface CurveForm {
  /** The library's number of the curve. */
  readonly curve: number;
  /** Coordinates lie below it; big endian, and as long as a coordinate is in an input. */
  readonly modulus: Uint8Array;
  /** True if the imaginary part of a coordinate of G2 is written before the real one. */
  readonly isImaginaryFirst: boolean;
}

/** A curve with a pairing, in an instance of the library of its own. */
export class PairingCurve {
  readonly library: MclCurve;
  readonly g1: CurveGroup;
  readonly g2: CurveGroup;
  /** Pointer to a batch of factors. */
  readonly scalars: number;
  readonly #form: CurveForm;
  /** Bytes of a coordinate without the zeros in front that its form demands. */
  readonly #digits: number;
  readonly #exchange: number;
  /** The product of pairings so far, and a further factor. */
  readonly #product: number;
  readonly #factor: number;

  constructor(form: CurveForm) {
    this.#form = form;
    this.#digits = Math.min(form.modulus.length, FP_BYTES);
    this.library = new MclCurve(form.curve);
    this.#exchange = this.library.allocate(FP_BYTES);
    this.scalars = this.library.allocate(BATCH * FR_BYTES);
    this.#product = this.library.allocate(2 * GT_BYTES);
    this.#factor = this.#product + GT_BYTES;
    const { functions } = this.library;
    this.g1 = new CurveGroup(this.library, 'G1', {
      inputBytes: form.modulus.length,
      memoryBytes: FP_BYTES,
      read: (input, offset, pointer) => this.readField(input, offset, pointer),
      write: (pointer, output, offset) => this.#writeField(pointer, output, offset),
      writeOne: (pointer) => functions.mclBnFp_setInt32(pointer, 1),
    });
    this.g2 = new CurveGroup(this.library, 'G2', {
      inputBytes: 2 * form.modulus.length,
      memoryBytes: FP2_BYTES,
      read: (input, offset, pointer) => this.readPair(input, offset, pointer),
      write: (pointer, output, offset) => this.#writePair(pointer, output, offset),
      writeOne: (pointer) => {
        functions.mclBnFp_setInt32(pointer, 1);
        functions.mclBnFp_setInt32(pointer + FP_BYTES, 0);
      },
    });
  }

  /** Returns the pointer to a factor of the batch. */
  scalar(index: number): number {
    return this.scalars + index * FR_BYTES;
  }

  /** Reads a number of the input to a pointer as an element of the field; false where it is not one. */
  readField(input: Uint8Array, offset: number, pointer: number): boolean {
    const { modulus } = this.#form;
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

  /** Reads a factor to a pointer, modulo the groups' order: it is prime, and multiples of a point repeat. */
  readScalar(input: Uint8Array, offset: number, pointer: number): void {
    this.library.bytes.set(input.subarray(offset, offset + SCALAR_BYTES), this.#exchange);
    this.library.functions.mclBnFr_setBigEndianMod(pointer, this.#exchange, SCALAR_BYTES);
  }

  #writeField(pointer: number, output: Uint8Array, offset: number): void {
    const length = this.library.functions.mclBnFp_serialize(this.#exchange, FP_BYTES, pointer);
    // The library writes numbers in little-endian order.
    const digits = this.library.bytes.slice(this.#exchange, this.#exchange + length).reverse();
    output.set(digits, offset + this.#form.modulus.length - length);
  }

  #writePair(pointer: number, output: Uint8Array, offset: number): void {
    const [real, imaginary] = this.#partsOf(offset);
    this.#writeField(pointer, output, real);
    this.#writeField(pointer + FP_BYTES, output, imaginary);
  }

  /** Returns where real and imaginary part of an element begin. */
  #partsOf(offset: number): [number, number] {
    const second = offset + this.#form.modulus.length;
    return this.#form.isImaginaryFirst ? [second, offset] : [offset, second];
  }

  /**
   * Tests whether the product of the pairings of the input's points, each of G1 followed by one of G2, is one, as that
   * of none is. Returns 1 or 0 as a word; undefined for a point outside of its subgroup. Calls `checkTime` a pair.
   */
  checkPairing(input: Uint8Array, checkTime?: () => void): Uint8Array | undefined {
    const { g1, g2 } = this;
    let waiting = 0;
    let isEmpty = true;
    const pairBytes = g1.pointBytes + g2.pointBytes;
    for (let offset = 0; offset < input.length; offset += pairBytes) {
      checkTime?.();
      const [left, right] = [g1.pointer(waiting), g2.pointer(waiting)];
      if (!g1.readOfSubgroup(input, offset, left)) return undefined;
      if (!g2.readOfSubgroup(input, offset + g1.pointBytes, right)) return undefined;
      // A pairing with infinity is one.
      if (g1.isZero(left) || g2.isZero(right)) continue;
      waiting++;
      if (waiting < BATCH) continue;
      this.#multiply(waiting, isEmpty);
      [waiting, isEmpty] = [0, false];
    }
    if (waiting > 0) this.#multiply(waiting, isEmpty);
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

  /** Prepares pairings with a point of G2, in the form of an input; returns where the result is kept for good. */
  prepareG2(point: Uint8Array): number {
    const { functions } = this.library;
    const pointer = this.g2.pointer(0);
    invariant(this.g2.readOfSubgroup(point, 0, pointer), 'the point is one of G2');
    const prepared = this.library.allocate(LINE_BYTES * functions.mclBn_getUint64NumToPrecompute());
    functions.mclBn_precomputeG2(prepared, pointer);
    return prepared;
  }

  /** Tests whether the product of two pairings, of points of G1 that are not infinity with prepared ones, is one. */
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
