/** Products of words. Wasm has no 64 x 64 to 128 bit product: high halves are computed from 32-bit digits. */

import { clearWord, fitsLimb, storeLimbs } from './word';

/** The low 32 bits of a limb. */
const LOW_HALF: u64 = 0xffffffff;

/** Returns the high 64 bits of the product of two limbs. */
@inline
export function multiplyHigh(a: u64, b: u64): u64 {
  const aLow = a & LOW_HALF;
  const aHigh = a >> 32;
  const bLow = b & LOW_HALF;
  const bHigh = b >> 32;
  const lowHigh = aLow * bHigh;
  const middle = ((aLow * bLow) >> 32) + (lowHigh & LOW_HALF) + aHigh * bLow;
  return aHigh * bHigh + (lowHigh >> 32) + (middle >> 32);
}

/** a * b mod 2^256. */
export function multiply(result: usize, a: usize, b: usize): void {
  if (fitsLimb(a)) {
    const a0 = load<u64>(a);
    if (!fitsLimb(b)) {
      multiplyByLimb(result, b, a0);
      return;
    }
    const b0 = load<u64>(b);
    storeLimbs(result, a0 * b0, (a0 | b0) >> 32 ? multiplyHigh(a0, b0) : 0, 0, 0);
  } else if (fitsLimb(b)) {
    multiplyByLimb(result, a, load<u64>(b));
  } else {
    multiplyLimbs(result, a, b);
  }
}

/** Multiplies a word by a limb, such as a constant. */
function multiplyByLimb(result: usize, a: usize, b: u64): void {
  const a0 = load<u64>(a);
  const a1 = load<u64>(a, 8);
  const a2 = load<u64>(a, 16);
  const low1 = a1 * b;
  const limb1 = low1 + multiplyHigh(a0, b);
  const low2 = a2 * b;
  const limb2 = low2 + multiplyHigh(a1, b) + u64(limb1 < low1);
  const limb3 = load<u64>(a, 24) * b + multiplyHigh(a2, b) + u64(limb2 < low2);
  storeLimbs(result, a0 * b, limb1, limb2, limb3);
}

/**
 * Sums the ten products of limbs that reach below 2^256: first the four of the two lowest limbs, which are all of two
 * numbers of 128 bits. The branch also helps the compiler, which otherwise mixes all products and spills their parts.
 */
function multiplyLimbs(result: usize, a: usize, b: usize): void {
  const a0 = load<u64>(a);
  const a1 = load<u64>(a, 8);
  const b0 = load<u64>(b);
  const b1 = load<u64>(b, 8);
  const low01 = a0 * b1;
  const part1 = multiplyHigh(a0, b0) + low01;
  const low10 = a1 * b0;
  const limb1 = part1 + low10;
  const part2 = multiplyHigh(a0, b1) + u64(part1 < low01);
  const high10 = multiplyHigh(a1, b0) + u64(limb1 < low10);
  const low11 = a1 * b1;
  const sum2 = part2 + high10;
  let limb2 = sum2 + low11;
  let limb3 = multiplyHigh(a1, b1) + u64(sum2 < high10) + u64(limb2 < low11);

  const a2 = load<u64>(a, 16);
  const b2 = load<u64>(b, 16);
  const a3 = load<u64>(a, 24);
  const b3 = load<u64>(b, 24);
  if (a2 | b2 | a3 | b3) {
    const low02 = a0 * b2;
    limb2 += low02;
    limb3 += multiplyHigh(a0, b2) + u64(limb2 < low02);
    const low20 = a2 * b0;
    limb2 += low20;
    limb3 += multiplyHigh(a2, b0) + u64(limb2 < low20) + a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0;
  }
  storeLimbs(result, a0 * b0, limb1, limb2, limb3);
}

/** a * a mod 2^256: products of two different limbs count twice, so there are six instead of ten. */
export function square(result: usize, a: usize): void {
  const a0 = load<u64>(a);
  const a1 = load<u64>(a, 8);
  const a2 = load<u64>(a, 16);
  const low01 = a0 * a1;
  const high01 = multiplyHigh(a0, a1);
  const low02 = a0 * a2;
  const high02 = multiplyHigh(a0, a2);
  // Twice the products of different limbs, from limb 1 on.
  const double1 = low01 << 1;
  const middle = high01 + low02;
  const double2 = (middle << 1) | (low01 >> 63);
  const upper = high02 + u64(middle < low02) + a0 * load<u64>(a, 24) + a1 * a2;
  const double3 = (upper << 1) | (middle >> 63);
  // The squares of limbs 0 and 1.
  const low11 = a1 * a1;
  const limb1 = double1 + multiplyHigh(a0, a0);
  const carry1 = u64(limb1 < double1);
  const half2 = double2 + low11;
  const limb2 = half2 + carry1;
  const limb3 = double3 + multiplyHigh(a1, a1) + u64(half2 < low11) + u64(limb2 < carry1);
  storeLimbs(result, a0 * a0, limb1, limb2, limb3);
}

/** a * b in full: `result64` has 64 bytes, eight limbs, and must not overlap the operands. */
export function multiplyFull(result64: usize, a: usize, b: usize): void {
  clearWord(result64);
  clearWord(result64 + 32);
  const b0 = load<u64>(b);
  const b1 = load<u64>(b, 8);
  const b2 = load<u64>(b, 16);
  const b3 = load<u64>(b, 24);
  for (let offset: usize = 0; offset < 32; offset += 8) {
    const limb = load<u64>(a + offset);
    if (!limb) continue;
    const position = result64 + offset;
    store<u64>(position, addRow(position, limb, b0, b1, b2, b3), 32);
  }
}

/** Adds the product of a limb and the four limbs of a word to the word at `position`; returns the carry. */
@inline
function addRow(position: usize, limb: u64, b0: u64, b1: u64, b2: u64, b3: u64): u64 {
  const carry0 = addProduct(position, limb, b0, 0);
  const carry1 = addProduct(position + 8, limb, b1, carry0);
  const carry2 = addProduct(position + 16, limb, b2, carry1);
  return addProduct(position + 24, limb, b3, carry2);
}

/**
 * Adds a * b + carry to the limb at `position` and returns the carry. It cannot overflow: (2^64 - 1)^2 + 2 * (2^64 - 1)
 * = 2^128 - 1.
 */
@inline
export function addProduct(position: usize, a: u64, b: u64, carry: u64): u64 {
  const low = a * b;
  const withCarry = low + carry;
  const sum = withCarry + load<u64>(position);
  store<u64>(position, sum);
  return multiplyHigh(a, b) + u64(withCarry < low) + u64(sum < withCarry);
}

/** Adds a limb to the word at `position`; returns the carry. */
export function addLimbs(position: usize, limb: u64): u64 {
  let carry = limb;
  for (let offset: usize = 0; offset < 32; offset += 8) carry = addLimb(position + offset, carry);
  return carry;
}

/** Adds to the limb at `position` and returns the carry. */
@inline
export function addLimb(position: usize, addend: u64): u64 {
  const sum = load<u64>(position) + addend;
  store<u64>(position, sum);
  return u64(sum < addend);
}
