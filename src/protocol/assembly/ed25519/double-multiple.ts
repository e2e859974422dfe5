/**
 * The sum of a multiple of the base point and a multiple of another point, for public values only: the time depends on
 * them.
 *
 * Both scalars are written in non-adjacent form, with few odd signed digits (Solinas, "Efficient Arithmetic on Koblitz
 * Curves", 2000). All multiples share their doublings (Straus, 1964). The digits are cut into four parts, each with a
 * table of its own point, so that a quarter of the doublings is left (Lim, Lee, "More Flexible Exponentiation with
 * Precomputation", 1994); the others are in the tables.
 */
import {
  beginAdd, beginAddAffine, beginDouble, doubleTimes, finish, finishWithoutT, POINT_BYTES, setNeutral, toSummand,
} from './points';
import { ENTRY_BYTES, ODD_TABLE_BYTES, ODD_TABLE_WIDTH, oddMultiples, PART_BITS, PARTS } from './tables';

const SCALAR_BITS: usize = PARTS * PART_BITS;
/** Bits of a digit of the other point: the table of a part has 8 odd multiples. */
const POINT_WIDTH: usize = 5;
const PART_ENTRIES: usize = 8;
const PART_BYTES: usize = PART_ENTRIES * POINT_BYTES;
export const POINT_TABLE_BYTES: usize = PARTS * PART_BYTES;

/** A signed byte for each bit of a scalar. */
const BASE_DIGITS: usize = memory.data(256, 16);
const POINT_DIGITS: usize = memory.data(256, 16);
const FIRST: usize = memory.data(160, 16);
const STEP: usize = memory.data(160, 16);
const MULTIPLE: usize = memory.data(160, 16);

/**
 * Computes baseScalar B - pointScalar P as a point, with its T. The scalars are below L; P may be of any order.
 * @param pointTable of P, by `makePointTable`
 */
export function multiplyBoth(out: usize, baseScalar: usize, pointScalar: usize, pointTable: usize): void {
  const baseTable = oddMultiples();
  writeDigits(BASE_DIGITS, baseScalar, ODD_TABLE_WIDTH);
  writeDigits(POINT_DIGITS, pointScalar, POINT_WIDTH);
  setNeutral(out);
  for (let bit: usize = PART_BITS; bit-- > 0; ) {
    beginDouble(out);
    for (let part: usize = 0; part < PARTS; part++) {
      const position = part * PART_BITS + bit;
      const pointDigit = <i32>load<i8>(POINT_DIGITS + position);
      if (pointDigit != 0) {
        finish(out);
        const entry = part * PART_BYTES + <usize>(abs(pointDigit) >> 1) * POINT_BYTES;
        beginAdd(out, pointTable + entry, pointDigit > 0);
      }
      const baseDigit = <i32>load<i8>(BASE_DIGITS + position);
      if (baseDigit != 0) {
        finish(out);
        const entry = part * ODD_TABLE_BYTES + <usize>(abs(baseDigit) >> 1) * ENTRY_BYTES;
        beginAddAffine(out, baseTable + entry, baseDigit < 0);
      }
    }
    finishWithoutT(out);
  }
  // The sums of the last step are still valid; this computes T as well.
  finish(out);
}

/** Writes the table of a point: for each part the odd multiples, from 1 to 15, of its point, as summands. */
export function makePointTable(table: usize, point: usize): void {
  memory.copy(FIRST, point, POINT_BYTES);
  for (let part: usize = 0; part < PARTS; part++) {
    if (part > 0) doubleTimes(FIRST, PART_BITS);
    makeMultiples(table + part * PART_BYTES);
  }
}

/** Writes 1, 3, ... 15 times `FIRST` as summands. */
function makeMultiples(table: usize): void {
  memory.copy(MULTIPLE, FIRST, POINT_BYTES);
  beginDouble(MULTIPLE);
  finish(MULTIPLE);
  toSummand(STEP, MULTIPLE);
  memory.copy(MULTIPLE, FIRST, POINT_BYTES);
  toSummand(table, MULTIPLE);
  for (let index: usize = 1; index < PART_ENTRIES; index++) {
    beginAdd(MULTIPLE, STEP, false);
    finish(MULTIPLE);
    toSummand(table + index * POINT_BYTES, MULTIPLE);
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
