/** Points of BLS12-381's group G1 in 48 bytes. Source: EIP-4844 refers to the form of draft-irtf-cfrg-bls-signature. */
import { FP_BYTES } from '../../protocol/index.ts';
import type { PairingCurve } from './pairing-curve.ts';

/** In the first byte: that the point is compressed, that it is infinity, that y is the greater root. */
const COMPRESSED = 0x80;
const INFINITY = 0x40;
const GREATER = 0x20;
const FLAGS = COMPRESSED | INFINITY | GREATER;
/** The curve is y² = x³ + 4. */
const CURVE_CONSTANT = 4;
/** Zeros in front of a coordinate as the curve reads it. */
const ZEROS_IN_FRONT = 16;

/**
 * Reads the point at an offset to a pointer; false where its form is not the one that a point has, or it is not
 * on the curve or in the subgroup. Infinity is allowed.
 */
export function readCompressedG1(
  curve: PairingCurve,
  input: Uint8Array,
  offset: number,
  pointer: number,
): boolean {
  const { functions } = curve.library;
  const x = new Uint8Array(ZEROS_IN_FRONT + FP_BYTES);
  x.set(input.subarray(offset, offset + FP_BYTES), ZEROS_IN_FRONT);
  const flags = (x[ZEROS_IN_FRONT] ?? 0) & FLAGS;
  x[ZEROS_IN_FRONT] = (x[ZEROS_IN_FRONT] ?? 0) & ~FLAGS;
  if (!(flags & COMPRESSED)) return false;
  if (flags & INFINITY) {
    curve.g1.clear(pointer);
    return flags === (COMPRESSED | INFINITY) && x.every((byte) => byte === 0);
  }
  const [y, z] = [pointer + FP_BYTES, pointer + 2 * FP_BYTES];
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
