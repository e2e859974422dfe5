/** The points of KZG proofs, and the equation of pairings that proves a value. */

import { compareBytes, FP_BYTES, hexToBytes } from '../../protocol/index.ts';
import { G2_GENERATOR } from './kzg-setup.ts';
import type { PairingCurve } from './pairing-curve.ts';

/** The order of the groups, which a field element must be below. */
export const GROUP_ORDER = '73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001';

/** Bytes of a compressed point of G1. */
export const COMPRESSED_BYTES = 48;

/** Flags in the first of a point's 48 bytes. Source: draft-irtf-cfrg-bls-signature, to which EIP-4844 refers. */
const COMPRESSED = 0x80;
const INFINITY = 0x40;
/** Set if y is the greater of the two roots. */
const GREATER = 0x20;
const FLAGS = COMPRESSED | INFINITY | GREATER;
/** The curve is y² = x³ + 4. */
const CURVE_CONSTANT = 4;
/** Leading zeros of a coordinate as the curve reads it. */
const LEADING_ZEROS = 16;

const order = hexToBytes(GROUP_ORDER);

/** The equation e(value, G2) = e(proof, power·G2), with precomputed pairings for the two points of G2. */
export class KzgEquation {
  readonly #curve: PairingCurve;
  readonly #generatorLines: number;
  readonly #powerLines: number;

  /** @param power the coordinates of a power of the secret, times the generator of G2 */
  constructor(curve: PairingCurve, power: readonly string[]) {
    this.#curve = curve;
    this.#generatorLines = curve.prepareG2(pointBytes(G2_GENERATOR));
    this.#powerLines = curve.prepareG2(pointBytes(power));
  }

  /** Returns true if the equation holds for the points at two pointers, which it changes. */
  holds(value: number, proof: number): boolean {
    const { g1, library } = this.#curve;
    // A pairing is one exactly if one of its points is infinity.
    if (g1.isZero(proof) || g1.isZero(value)) return g1.isZero(proof) && g1.isZero(value);
    library.functions.mclBnG1_neg(proof, proof);
    return this.#curve.isPreparedPairingOne(value, this.#generatorLines, proof, this.#powerLines);
  }
}

/**
 * Reads a compressed point of G1 to a pointer. Returns false if it is malformed or not in the subgroup. Allows
 * infinity.
 */
export function readCompressedG1(
  curve: PairingCurve,
  input: Uint8Array,
  offset: number,
  pointer: number,
): boolean {
  const { functions } = curve.library;
  const x = new Uint8Array(LEADING_ZEROS + FP_BYTES);
  x.set(input.subarray(offset, offset + FP_BYTES), LEADING_ZEROS);
  const flags = (x[LEADING_ZEROS] ?? 0) & FLAGS;
  x[LEADING_ZEROS] = (x[LEADING_ZEROS] ?? 0) & ~FLAGS;
  if (!(flags & COMPRESSED)) return false;
  if (flags & INFINITY) {
    curve.g1.functions.clear(pointer);
    return flags === (COMPRESSED | INFINITY) && x.every((byte) => byte === 0);
  }
  const y = pointer + FP_BYTES;
  const z = pointer + 2 * FP_BYTES;
  if (!curve.readField(x, 0, pointer)) return false;
  functions.mclBnFp_sqr(y, pointer);
  functions.mclBnFp_mul(y, y, pointer);
  functions.mclBnFp_setInt32(z, CURVE_CONSTANT);
  functions.mclBnFp_add(y, y, z);
  if (functions.mclBnFp_squareRoot(y, y) !== 0) return false;
  if ((functions.mclBnFp_isNegative(y) === 1) !== (flags & GREATER) > 0) functions.mclBnFp_neg(y, y);
  functions.mclBnFp_setInt32(z, 1);
  return functions.mclBnG1_isValidOrder(pointer) === 1;
}

/** Returns true if the 32 bytes at an offset are a field element. */
export function isFieldElement(input: Uint8Array, offset: number): boolean {
  return compareBytes(input.subarray(offset, offset + order.length), order) < 0;
}

function pointBytes(coordinates: readonly string[]): Uint8Array {
  return hexToBytes(coordinates.map((coordinate) => '00'.repeat(LEADING_ZEROS) + coordinate).join(''));
}
