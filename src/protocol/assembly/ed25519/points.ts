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
/** Where the coordinates lie in a point; X is the first. */
export const Y: usize = 40;
export const Z: usize = 80;
export const T: usize = 120;

/** A summand is a point in the form in which it is added to others: Y + X, Y - X, 2 d T, 2 Z. */
export const DIFFERENCE: usize = 40;
export const TWICE_DT: usize = 80;
const TWICE_Z: usize = 120;

/** The names of the formulas. */
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

/** Writes the form of a point that is added to others. */
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

/** First step of adding a summand to a point, or of taking it away, which has to be public. */
export function beginAdd(point: usize, summand: usize, isTaken: bool): void {
  multiply(D, point + Z, summand + TWICE_Z);
  combine(point, summand, isTaken);
}

/** Like `beginAdd`, of a summand whose Z is 1, so that 2 Z need not be there. */
export function beginAddAffine(point: usize, summand: usize, isTaken: bool): void {
  add(D, point + Z, point + Z);
  combine(point, summand, isTaken);
}

/** Leaves E, F, G, H of a sum, of which D is made. The negative of (x, y) is (-x, y). */
function combine(point: usize, summand: usize, isTaken: bool): void {
  subtract(A, point + Y, point);
  multiply(A, A, isTaken ? summand : summand + DIFFERENCE);
  add(B, point + Y, point);
  multiply(B, B, isTaken ? summand + DIFFERENCE : summand);
  multiply(C, point + T, summand + TWICE_DT);
  if (isTaken) negate(C, C);
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

/** Whether 8 times a point is neutral: whether its order divides 8. For public points. */
export function isOfSmallOrder(point: usize): bool {
  memory.copy(MULTIPLE, point, POINT_BYTES);
  for (let doublings = 0; doublings < 3; doublings++) {
    beginDouble(MULTIPLE);
    finishWithoutT(MULTIPLE);
  }
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
 * Reads a point from 32 bytes by the rules of RFC 8032, section 5.1.3, and says whether they are one: y has to be below
 * p, there has to be an x, and 0 has no sign. Of bytes that are none the point may be anything. For public points.
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

/** The lowest bit of the number from 0 to p - 1 that an element is: the sign of x in encodings. */
function lowestBit(element: usize): u8 {
  encode(ENCODED, element);
  return load<u8>(ENCODED) & 1;
}
