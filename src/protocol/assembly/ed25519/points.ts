/**
 * Points of edwards25519 in extended coordinates X, Y, Z, T: x = X/Z, y = Y/Z, x y = T/Z, each an element of the field.
 * The formulas hold for every pair of points of the curve, those of small order among them.
 *
 * A point is doubled or added to in two steps: the first leaves four sums E, F, G, H, the second makes X = E F, Y = G
 * H, Z = F G and, where the next step needs it, T = E H of them. In terms of field.ts, the coordinates of a point are
 * reduced, and the sums have the bounds of at most four reduced elements; no product exceeds 4 times 3.
 *
 * Source: Hisil, Wong, Carter, Dawson, "Twisted Edwards Curves Revisited" (2008), sections 3.1 to 3.4 and 4.3, as RFC
 * 8032, section 5.1.4 writes them.
 */
import { CURVE_D, TWICE_CURVE_D } from './constants';
import { add, areEqual, decode, encode, multiply, negate, setNumber, square, subtract } from './field';
import { invert, rootOfRatio } from './powers';
import { POINTS_SCRATCH } from './scratch';

/** Bytes of a point, and of a summand. */
export const POINT_BYTES: usize = 160;
/** Offsets of the coordinates in a point; X is the first. */
export const Y: usize = 40;
export const Z: usize = 80;
export const T: usize = 120;

/** Offsets in a summand, the form of a point that is added to others: Y + X, Y - X, 2 d T, 2 Z. */
export const DIFFERENCE: usize = 40;
export const TWICE_DT: usize = 80;
const TWICE_Z: usize = 120;

/** The variables of the formulas. */
const A: usize = POINTS_SCRATCH;
const B: usize = POINTS_SCRATCH + 40;
const C: usize = POINTS_SCRATCH + 80;
const D: usize = POINTS_SCRATCH + 120;
const E: usize = POINTS_SCRATCH + 160;
const F: usize = POINTS_SCRATCH + 200;
const G: usize = POINTS_SCRATCH + 240;
const H: usize = POINTS_SCRATCH + 280;
const MULTIPLE: usize = POINTS_SCRATCH + 320;
const ENCODED: usize = POINTS_SCRATCH + 480;

/** Writes the neutral point. */
export function setNeutral(point: usize): void {
  setNumber(point, 0);
  setNumber(point + Y, 1);
  setNumber(point + Z, 1);
  setNumber(point + T, 0);
}

/** Converts a point to a summand. */
export function toSummand(summand: usize, point: usize): void {
  add(summand, point + Y, point);
  subtract(summand + DIFFERENCE, point + Y, point);
  multiply(summand + TWICE_DT, point + T, TWICE_CURVE_D);
  add(summand + TWICE_Z, point + Z, point + Z);
}

/** First step of doubling a point, of which T is not used. */
export function beginDouble(point: usize): void {
  square(A, point);
  square(B, point + Y);
  square(C, point + Z);
  add(C, C, C);
  add(H, A, B);
  add(E, point, point + Y);
  square(E, E);
  subtract(E, H, E);
  subtract(G, A, B);
  add(F, C, G);
}

/** First step of adding a summand to a point, or of subtracting it. `isSubtracted` must be public. */
export function beginAdd(point: usize, summand: usize, isSubtracted: bool): void {
  multiply(D, point + Z, summand + TWICE_Z);
  combine(point, summand, isSubtracted);
}

/** Like `beginAdd`, for a summand with Z = 1, which needs no 2 Z. */
export function beginAddAffine(point: usize, summand: usize, isSubtracted: bool): void {
  add(D, point + Z, point + Z);
  combine(point, summand, isSubtracted);
}

/** Computes E, F, G, H of a sum from D, which must be set. The negative of (x, y) is (-x, y). */
function combine(point: usize, summand: usize, isSubtracted: bool): void {
  subtract(A, point + Y, point);
  multiply(A, A, isSubtracted ? summand : summand + DIFFERENCE);
  add(B, point + Y, point);
  multiply(B, B, isSubtracted ? summand + DIFFERENCE : summand);
  multiply(C, point + T, summand + TWICE_DT);
  if (isSubtracted) negate(C, C);
  subtract(E, B, A);
  subtract(F, D, C);
  add(G, D, C);
  add(H, B, A);
}

/** Second step, without T. */
export function finishWithoutT(point: usize): void {
  multiply(point, E, F);
  multiply(point + Y, G, H);
  multiply(point + Z, F, G);
}

/** Second step. */
export function finish(point: usize): void {
  finishWithoutT(point);
  multiply(point + T, E, H);
}

/** Doubles a point `count` times, at least once. Its T is not used. */
export function doubleTimes(point: usize, count: usize): void {
  for (let doublings: usize = 1; doublings < count; doublings++) {
    beginDouble(point);
    finishWithoutT(point);
  }
  beginDouble(point);
  finish(point);
}

/** Returns true if the order of a point divides 8, so that 8 times the point is neutral. For public points. */
export function isOfSmallOrder(point: usize): bool {
  memory.copy(MULTIPLE, point, POINT_BYTES);
  doubleTimes(MULTIPLE, 3);
  setNumber(A, 0);
  return areEqual(MULTIPLE, A) && areEqual(MULTIPLE + Y, MULTIPLE + Z);
}

/** Writes the 32 bytes of a point: y, and the lowest bit of x as their highest. */
export function encodePoint(bytes: usize, point: usize): void {
  invert(A, point + Z);
  multiply(B, point, A);
  multiply(C, point + Y, A);
  encode(bytes, C);
  store<u8>(bytes, load<u8>(bytes, 31) | (lowestBit(B) << 7), 31);
}

/**
 * Decodes a point from 32 bytes (RFC 8032, section 5.1.3). Returns true if they are valid: y is below p, an x exists,
 * and an x of 0 has no sign. For invalid bytes the written point is undefined. For public points.
 */
export function decodePoint(point: usize, bytes: usize): bool {
  const sign = load<u8>(bytes, 31) >> 7;
  decode(point + Y, bytes);
  encode(ENCODED, point + Y);
  store<u8>(ENCODED, load<u8>(ENCODED, 31) | (sign << 7), 31);
  if (memory.compare(ENCODED, bytes, 32) != 0) return false;
  // x^2 = (y^2 - 1) / (d y^2 + 1), whose denominator is never 0: -1/d has no root.
  setNumber(point + Z, 1);
  square(A, point + Y);
  multiply(B, A, CURVE_D);
  subtract(A, A, point + Z);
  add(B, B, point + Z);
  if (!rootOfRatio(point, A, B)) return false;
  if (lowestBit(point) != sign) {
    negate(point, point);
    // 0 is its own negative.
    if (lowestBit(point) != sign) return false;
  }
  multiply(point + T, point, point + Y);
  return true;
}

/** Returns the lowest bit of the number from 0 to p - 1 of an element: the sign of x in encodings. */
function lowestBit(element: usize): u8 {
  encode(ENCODED, element);
  return load<u8>(ENCODED) & 1;
}
