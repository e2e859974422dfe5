/**
 * Multiples of the base point by secret scalars. No branch and no address depends on the scalar: an entry of the table
 * is selected by reading its whole row.
 *
 * Source: Bernstein, Duif, Lange, Schwabe, Yang, "High-speed high-security signatures" (2012), section 4.
 */
import { ELEMENT_BYTES } from './field';
import { beginAddAffine, DIFFERENCE, doubleTimes, finish, setNeutral, TWICE_DT } from './points';
import { MULTIPLE_SCRATCH } from './scratch';
import { ENTRY_BYTES, multiples, ROW_BYTES, ROW_ENTRIES } from './tables';

const DIGITS: usize = 64;
/** The digits of the scalar, a byte with sign each, and an entry of the table. */
const DIGIT: usize = MULTIPLE_SCRATCH;
const ENTRY: usize = MULTIPLE_SCRATCH + 64;

/**
 * Writes scalar B as a point, with its T. The scalar is below 2^255.
 *
 * With the digits e to the base of 16, row i of the table has to give (e(2i) + 16 e(2i + 1)) 256^i B: first the odd
 * digits are added up, then the sum is multiplied by 16, then come the even ones.
 */
export function multiplyBase(point: usize, scalar: usize): void {
  const table = multiples();
  split(scalar);
  setNeutral(point);
  for (let index: usize = 1; index < DIGITS; index += 2) addMultiple(point, table, index);
  doubleTimes(point, 4);
  for (let index: usize = 0; index < DIGITS; index += 2) addMultiple(point, table, index);
}

/** Splits a scalar into digits in base 16, from -8 to 7, the last one up to 8, at `DIGIT`. */
function split(scalar: usize): void {
  let carry = 0;
  for (let index: usize = 0; index < DIGITS; index++) {
    const nibble = (<i32>load<u8>(scalar + (index >> 1)) >> (<i32>(index & 1) << 2)) & 15;
    const digit = nibble + carry;
    carry = (digit + 8) >> 4;
    store<i8>(DIGIT + index, <i8>(digit - (carry << 4)));
  }
  store<i8>(DIGIT + DIGITS - 1, load<i8>(DIGIT + DIGITS - 1) + <i8>(carry << 4));
}

/** Adds the multiple for digit `index`. */
function addMultiple(point: usize, table: usize, index: usize): void {
  chooseEntry(table + (index >> 1) * ROW_BYTES, load<i8>(DIGIT + index));
  beginAddAffine(point, ENTRY, false);
  finish(point);
}

/** Selects the digit's multiple of the first point of a row as `ENTRY`. */
function chooseEntry(row: usize, digit: i32): void {
  const sign = digit >> 31;
  const magnitude = (digit ^ sign) - sign;
  // The neutral point is 1, 1, 0 as an entry.
  const none = i32x4.splat(0);
  const one = maskOfEqual(magnitude, 0) & 1;
  let v0 = i32x4.replace_lane(none, 0, one), v1 = none, v2 = i32x4.replace_lane(none, 2, one), v3 = none;
  let v4 = none, v5 = none, v6 = none, v7 = none;
  for (let factor = 1; factor <= <i32>ROW_ENTRIES; factor++) {
    const mask = i32x4.splat(maskOfEqual(magnitude, factor));
    v0 = v128.or(v0, v128.and(mask, v128.load(row)));
    v1 = v128.or(v1, v128.and(mask, v128.load(row, 16)));
    v2 = v128.or(v2, v128.and(mask, v128.load(row, 32)));
    v3 = v128.or(v3, v128.and(mask, v128.load(row, 48)));
    v4 = v128.or(v4, v128.and(mask, v128.load(row, 64)));
    v5 = v128.or(v5, v128.and(mask, v128.load(row, 80)));
    v6 = v128.or(v6, v128.and(mask, v128.load(row, 96)));
    v7 = v128.or(v7, v128.and(mask, v128.load(row, 112)));
    row += ENTRY_BYTES;
  }
  v128.store(ENTRY, v0), v128.store(ENTRY, v1, 16), v128.store(ENTRY, v2, 32), v128.store(ENTRY, v3, 48);
  v128.store(ENTRY, v4, 64), v128.store(ENTRY, v5, 80), v128.store(ENTRY, v6, 96), v128.store(ENTRY, v7, 112);
  negateEntry(sign);
}

/** Returns all bits set if two numbers from 0 to 2^31 - 1 are equal, else 0. */
// @ts-ignore: decorator
@inline
function maskOfEqual(left: i32, right: i32): i32 {
  return ((left ^ right) - 1) >> 31;
}

/** Negates `ENTRY` if the mask has all bits set: swaps Y + X and Y - X, and negates 2 d T. */
function negateEntry(mask: i32): void {
  for (let offset: usize = 0; offset < ELEMENT_BYTES; offset += 4) {
    const sum = load<i32>(ENTRY + offset), difference = load<i32>(ENTRY + DIFFERENCE + offset);
    const change = (sum ^ difference) & mask;
    store<i32>(ENTRY + offset, sum ^ change);
    store<i32>(ENTRY + DIFFERENCE + offset, difference ^ change);
    store<i32>(ENTRY + TWICE_DT + offset, (load<i32>(ENTRY + TWICE_DT + offset) ^ mask) - mask);
  }
}
