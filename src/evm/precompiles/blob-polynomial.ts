import { BLOB_BYTES, FR_BYTES, hexToBytes } from '../../protocol/index.ts';
import { isFieldElement } from './kzg.ts';
import { type PairingCurve, SCALAR_BYTES } from './pairing-curve.ts';

/** Field elements of a blob, and coefficients of its polynomial. */
export const BLOB_ELEMENTS = BLOB_BYTES / SCALAR_BYTES;

/** A root of unity of this order: 7^((order - 1) / 4096). Source: EIP-4844, `PRIMITIVE_ROOT_OF_UNITY`. */
const ROOT = '564c0a11a0f704f4fc3e8acfe0f8245f0ad1347b378fbf96e206da11a5d36306';

/** Factor of the coefficients in memory, which the transform leaves. */
export const COEFFICIENT_FACTOR = BLOB_ELEMENTS;

/**
 * The polynomial of a blob: its value at the i-th power of the root of unity is the field element of the blob whose
 * position has the bits of i in reverse.
 */
export class BlobPolynomial {
  /** Pointer to the coefficients, each times {@link COEFFICIENT_FACTOR}, the constant first. */
  readonly coefficients: number;
  readonly #curve: PairingCurve;
  /** Pointers to the powers of the root's inverse, and to a product. */
  readonly #inverses: number;
  readonly #product: number;

  constructor(curve: PairingCurve) {
    this.#curve = curve;
    const { library } = curve;
    this.coefficients = library.allocate(BLOB_ELEMENTS * FR_BYTES);
    this.#product = library.allocate(FR_BYTES);
    this.#inverses = library.allocate((BLOB_ELEMENTS / 2) * FR_BYTES);
    this.rootOfUnity(BLOB_ELEMENTS, this.#product);
    library.functions.mclBnFr_inv(this.#product, this.#product);
    fillPowers(curve, this.#inverses, this.#product, BLOB_ELEMENTS / 2);
  }

  /** Writes the root of unity of an order, a power of two up to {@link BLOB_ELEMENTS}, to a pointer. */
  rootOfUnity(order: number, result: number): void {
    this.#curve.readScalar(hexToBytes(ROOT), 0, result);
    const { functions } = this.#curve.library;
    for (let reached = BLOB_ELEMENTS; reached > order; reached /= 2) {
      functions.mclBnFr_mul(result, result, result);
    }
  }

  /** Computes the coefficients of a blob's polynomial. Returns false for another length, and for no field element. */
  read(blob: Uint8Array): boolean {
    if (blob.length !== BLOB_BYTES) return false;
    for (let offset = 0; offset < BLOB_BYTES; offset += SCALAR_BYTES) {
      if (!isFieldElement(blob, offset)) return false;
      this.#curve.readScalar(blob, offset, this.coefficients + (offset / SCALAR_BYTES) * FR_BYTES);
    }
    for (let half = 1; half < BLOB_ELEMENTS; half *= 2) this.#combine(half);
    return true;
  }

  /** A step of the inverse transform by Cooley and Tukey, which takes the values in the order of the blob. */
  #combine(half: number): void {
    const { mclBnFr_add: add, mclBnFr_sub: subtract, mclBnFr_mul: multiply } = this.#curve.library.functions;
    const step = (BLOB_ELEMENTS / (2 * half)) * FR_BYTES;
    const end = this.coefficients + BLOB_ELEMENTS * FR_BYTES;
    for (let start = this.coefficients; start < end; start += 2 * half * FR_BYTES) {
      for (let index = 0; index < half; index += 1) {
        const low = start + index * FR_BYTES;
        const high = low + half * FR_BYTES;
        multiply(this.#product, high, this.#inverses + index * step);
        subtract(high, low, this.#product);
        add(low, low, this.#product);
      }
    }
  }
}

/** Writes the powers of a scalar, from 1 on, to a pointer. */
export function fillPowers(curve: PairingCurve, result: number, scalar: number, count: number): void {
  const { functions } = curve.library;
  functions.mclBnFr_setInt32(result, 1);
  for (let index = 1; index < count; index += 1) {
    const power = result + index * FR_BYTES;
    functions.mclBnFr_mul(power, power - FR_BYTES, scalar);
  }
}
