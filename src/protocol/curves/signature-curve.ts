import { FP_BYTES, FR_BYTES, G1_MEMORY_BYTES, MclCurve, type MclFunctions } from './mcl.ts';

const WORD_BYTES = 32;

/** A curve with a group of prime order, in a separate instance of the library. */
export class SignatureCurve {
  readonly functions: MclFunctions;
  /** Factors of the generator and of the point in `addProducts`. */
  readonly generatorFactor: number;
  readonly pointFactor: number;
  /** Coordinates x and y of a point. */
  readonly point: number;
  readonly pointY: number;
  /** Two further numbers. */
  readonly firstNumber: number;
  readonly secondNumber: number;
  /** An element of the field. */
  readonly constant: number;
  readonly #library: MclCurve;
  readonly #exchange: number;
  readonly #points: number;
  readonly #generator: number;
  readonly #sum: number;

  constructor(curve: number) {
    const library = new MclCurve(curve);
    this.#library = library;
    this.functions = library.functions;
    this.#exchange = library.allocate(WORD_BYTES);
    this.generatorFactor = library.allocate(4 * FR_BYTES);
    this.pointFactor = this.generatorFactor + FR_BYTES;
    this.firstNumber = this.pointFactor + FR_BYTES;
    this.secondNumber = this.firstNumber + FR_BYTES;
    this.constant = library.allocate(FP_BYTES);
    this.#points = library.allocate(2 * G1_MEMORY_BYTES);
    this.point = this.#points + G1_MEMORY_BYTES;
    this.pointY = this.point + FP_BYTES;
    this.#sum = library.allocate(G1_MEMORY_BYTES);
    this.#generator = library.allocate(G1_MEMORY_BYTES);
    this.functions.mclBnG1_getBasePoint(this.#generator);
  }

  /** Writes a word below the field's modulus to a pointer. */
  readField(word: Uint8Array, pointer: number): void {
    this.#library.bytes.set(word, this.#exchange);
    this.functions.mclBnFp_setBigEndianMod(pointer, this.#exchange, WORD_BYTES);
  }

  /** Writes a word to a pointer, modulo the group's order. */
  readScalar(word: Uint8Array, pointer: number): void {
    this.#library.bytes.set(word, this.#exchange);
    this.functions.mclBnFr_setBigEndianMod(pointer, this.#exchange, WORD_BYTES);
  }

  /** Returns true if the point at `point` and `pointY` is on the curve. */
  isPointValid(): boolean {
    this.#completePoint();
    return this.functions.mclBnG1_isValid(this.point) === 1;
  }

  #completePoint(): void {
    this.functions.mclBnFp_setInt32(this.pointY + FP_BYTES, 1);
  }

  /** Adds generator and point times their factors: returns both coordinates, or no bytes for infinity. */
  addProducts(): Uint8Array {
    const { functions } = this;
    const points = this.#points;
    this.#library.bytes.copyWithin(points, this.#generator, this.#generator + G1_MEMORY_BYTES);
    this.#completePoint();
    functions.mclBnG1_mulVec(this.#sum, points, this.generatorFactor, 2);
    if (functions.mclBnG1_isZero(this.#sum) === 1) return new Uint8Array();
    functions.mclBnG1_normalize(this.#sum, this.#sum);
    const coordinates = new Uint8Array(2 * WORD_BYTES);
    coordinates.set(this.#coordinate(this.#sum), 0);
    coordinates.set(this.#coordinate(this.#sum + FP_BYTES), WORD_BYTES);
    return coordinates;
  }

  #coordinate(pointer: number): Uint8Array {
    const length = this.functions.mclBnFp_serialize(this.#exchange, WORD_BYTES, pointer);
    // The library writes numbers in little-endian order.
    return this.#library.bytes.slice(this.#exchange, this.#exchange + length).reverse();
  }
}
