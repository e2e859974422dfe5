/**
 * The sum of a multiple of the base point and a multiple of another point, for public values only: the time depends on
 * them.
 *
 * Both scalars are written in non-adjacent form, with few odd signed digits (Solinas, "Efficient Arithmetic on Koblitz
 * Curves", 2000). Both multiples share their doublings (Straus, 1964).
 */
import {
  beginAdd, beginAddAffine, beginDouble, finish, finishWithoutT, POINT_BYTES, setNeutral, toSummand,
} from './points';
import { ENTRY_BYTES, oddMultiples } from './tables';

const SCALAR_BITS: usize = 256;
/** Bits of a digit: the table of the base point has 64 odd multiples, that of the other point 8. */
const BASE_WIDTH: usize = 8;
const POINT_WIDTH: usize = 5;
const POINT_ENTRIES: usize = 8;

/** A signed byte for each bit of a scalar. */
const BASE_DIGITS: usize = memory.data(256, 16);
const POINT_DIGITS: usize = memory.data(256, 16);
/** The odd multiples, from 1 to 15, of the other point, as summands. */
const MULTIPLES: usize = memory.data(1280, 16);
const STEP: usize = memory.data(160, 16);
const MULTIPLE: usize = memory.data(160, 16);

/** Computes baseScalar B - pointScalar P as a point, with its T. The scalars are below L; P may be of any order. */
export function multiplyBoth(out: usize, baseScalar: usize, pointScalar: usize, point: usize): void {
  const baseTable = oddMultiples();
  makeMultiples(point);
  writeDigits(BASE_DIGITS, baseScalar, BASE_WIDTH);
  writeDigits(POINT_DIGITS, pointScalar, POINT_WIDTH);
  setNeutral(out);
  for (let bit: usize = SCALAR_BITS; bit-- > 0; ) {
    beginDouble(out);
    const pointDigit = <i32>load<i8>(POINT_DIGITS + bit);
    if (pointDigit != 0) {
      finish(out);
      beginAdd(out, MULTIPLES + <usize>(abs(pointDigit) >> 1) * POINT_BYTES, pointDigit > 0);
    }
    const baseDigit = <i32>load<i8>(BASE_DIGITS + bit);
    if (baseDigit != 0) {
      finish(out);
      beginAddAffine(out, baseTable + <usize>(abs(baseDigit) >> 1) * ENTRY_BYTES, baseDigit < 0);
    }
    finishWithoutT(out);
  }
  // The sums of the last step are still valid; this computes T as well.
  finish(out);
}

/** Computes 1, 3, ... 15 times a point as summands. */
function makeMultiples(point: usize): void {
  memory.copy(MULTIPLE, point, POINT_BYTES);
  beginDouble(MULTIPLE);
  finish(MULTIPLE);
  toSummand(STEP, MULTIPLE);
  memory.copy(MULTIPLE, point, POINT_BYTES);
  toSummand(MULTIPLES, MULTIPLE);
  for (let index: usize = 1; index < POINT_ENTRIES; index++) {
    beginAdd(MULTIPLE, STEP, false);
    finish(MULTIPLE);
    toSummand(MULTIPLES + index * POINT_BYTES, MULTIPLE);
  }
}

/**
 * Writes the digits of a scalar in non-adjacent form: odd, with an absolute value below 2^(width - 1), and followed by
 * at least width - 1 zeros.
 */
function writeDigits(digits: usize, scalar: usize, width: usize): void {
  memory.fill(digits, 0, SCALAR_BITS);
  const end: u64 = 1 << width;
  let carry: u64 = 0;
  let bit: usize = 0;
  while (bit < SCALAR_BITS) {
    // The 64-bit word that contains the bit and, except at the end of the scalar, all bits of the digit.
    const start = min<usize>(bit >> 3, 24);
    const window = carry + ((load<u64>(scalar + start) >> (bit - (start << 3))) & (end - 1));
    if ((window & 1) == 0) {
      bit++;
      continue;
    }
    carry = <u64>(window > end >> 1);
    store<i8>(digits + bit, <i8>(window - (carry << width)));
    bit += width;
  }
}
