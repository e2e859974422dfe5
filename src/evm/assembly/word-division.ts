/**
 * Quotients and remainders of words. A division by zero results in zero (yellow paper, appendix H, group 0). Long
 * division is Knuth's algorithm D (The Art of Computer Programming, volume 2, section 4.3.1) on limbs of 64 bits. A
 * quotient limb is estimated from the three highest limbs of the numerator and the two highest of the divisor: the
 * estimate is at most one too large, and hardly ever.
 */

import {
  divideThreeLimbs,
  divideTwoLimbs,
  reciprocalOf,
  remainderHigh,
  remainderLow,
  shiftedLimb,
} from './limb-division';
import {
  addWithCarry,
  clearWord,
  copyWord,
  fitsLimb,
  isNegative,
  negate,
  setWord,
  shiftRightBy,
  storeLimbs,
} from './word';
import { multiplyHigh } from './word-multiplication';

/** The numerator, at most 8 limbs, and one more for the bits that normalising shifts out; then the remainder. */
const numeratorLimbs: usize = memory.data(72, 16);
/** The divisor, shifted so that its highest bit is set. */
const divisorLimbs: usize = memory.data(32, 16);
/** Quotient of the last long division: only its significant limbs are written. */
const quotientLimbs: usize = memory.data(72, 16);
/** Remainder of the last long division: a word. */
const remainderWord: usize = memory.data(32, 16);
/** A sum of 5 limbs, the numerator of `addModulo`. */
const wideSum: usize = memory.data(48, 16);
const magnitudeA: usize = memory.data(32, 16);
const magnitudeB: usize = memory.data(32, 16);

/** True if a number has at most one bit set, as 0 has. */
@inline
function isPowerOfTwo(number: u64): bool {
  return !(number & (number - 1));
}

/** a / b, unsigned; 0 if b is 0. */
export function divide(result: usize, a: usize, b: usize): void {
  if (fitsLimb(b)) {
    const divisor = load<u64>(b);
    if (!divisor) {
      clearWord(result);
      return;
    }
    if (isPowerOfTwo(divisor)) {
      shiftRightBy(result, ctz<u64>(divisor), a);
      return;
    }
    if (fitsLimb(a)) {
      setWord(result, load<u64>(a) / divisor);
      return;
    }
  }
  const numeratorLength = limbsOf(a, 4);
  const divisorLength = limbsOf(b, 4);
  if (numeratorLength < divisorLength) {
    clearWord(result);
    return;
  }
  clearWord(quotientLimbs);
  divideLong(a, numeratorLength, b, divisorLength);
  copyWord(result, quotientLimbs);
}

/** a mod b, unsigned; 0 if b is 0. */
export function modulo(result: usize, a: usize, b: usize): void {
  if (fitsLimb(b)) {
    const divisor = load<u64>(b);
    if (isPowerOfTwo(divisor)) {
      setWord(result, divisor ? load<u64>(a) & (divisor - 1) : 0);
      return;
    }
    if (fitsLimb(a)) {
      setWord(result, load<u64>(a) % divisor);
      return;
    }
  }
  moduloLong(result, a, 4, b);
}

/** a / b of two's complement numbers, rounded towards zero; 0 if b is 0; -2^255 / -1 is -2^255. */
export function signedDivide(result: usize, a: usize, b: usize): void {
  const isNegativeResult = isNegative(a) != isNegative(b);
  divide(result, magnitude(magnitudeA, a), magnitude(magnitudeB, b));
  if (isNegativeResult) negate(result, result);
}

/** Remainder of `signedDivide`, with the sign of a; 0 if b is 0. */
export function signedModulo(result: usize, a: usize, b: usize): void {
  const isNegativeResult = isNegative(a);
  modulo(result, magnitude(magnitudeA, a), magnitude(magnitudeB, b));
  if (isNegativeResult) negate(result, result);
}

/** (a + b) mod modulus, with the full sum; 0 if the modulus is 0. */
export function addModulo(result: usize, a: usize, b: usize, modulus: usize): void {
  const carry = addWithCarry(wideSum, a, b);
  store<u64>(wideSum, carry, 32);
  moduloLong(result, wideSum, 5, modulus);
}

/** Returns a pointer to |a|: a itself, or its negation at `scratch`. */
@inline
function magnitude(scratch: usize, a: usize): usize {
  if (!isNegative(a)) return a;
  negate(scratch, a);
  return scratch;
}

/** Remainder of a number of up to `limbs` limbs, at most 8; 0 if the modulus is 0. */
export function moduloLong(result: usize, numerator: usize, limbs: usize, modulus: usize): void {
  const divisorLength = limbsOf(modulus, 4);
  const numeratorLength = limbsOf(numerator, limbs);
  if (!divisorLength) {
    clearWord(result);
  } else if (numeratorLength < divisorLength) {
    copyWord(result, numerator);
  } else {
    divideLong(numerator, numeratorLength, modulus, divisorLength);
    copyWord(result, remainderWord);
  }
}

/** Returns the number of significant limbs among `limbs`. */
@inline
function limbsOf(a: usize, limbs: usize): usize {
  while (limbs && !load<u64>(a + ((limbs - 1) << 3))) --limbs;
  return limbs;
}

/**
 * Long division of significant limbs: writes `numeratorLength - divisorLength + 1` limbs to `quotientLimbs`
 * and the remainder to `remainderWord`. The divisor is not zero and not longer than the numerator.
 */
function divideLong(numerator: usize, numeratorLength: usize, divisor: usize, divisorLength: usize): void {
  const size = divisorLength << 3;
  const highest = (numeratorLength - divisorLength) << 3;
  const top = load<u64>(divisor + size - 8);
  const shift = clz<u64>(top);
  if (divisorLength == 1) {
    divideByOneLimb(numerator, highest, top << shift, shift);
  } else if (divisorLength == 2) {
    const low = load<u64>(divisor);
    divideByTwoLimbs(numerator, highest, shiftedLimb(low, top, shift), low << shift, shift);
  } else {
    shiftLimbsLeft(divisorLimbs, divisor, size, shift);
    const overflow = shiftLimbsLeft(numeratorLimbs, numerator, numeratorLength << 3, shift);
    store<u64>(numeratorLimbs + (numeratorLength << 3), overflow);
    divideByLimbs(highest, size);
    clearWord(remainderWord);
    shiftLimbsRight(remainderWord, numeratorLimbs, size, shift);
  }
}

/** Divides by a normalised divisor of one limb; `highest` is the offset of the highest quotient limb. */
function divideByOneLimb(numerator: usize, highest: usize, divisor: u64, shift: u64): void {
  const reciprocal = reciprocalOf(divisor, 0);
  let limb = load<u64>(numerator + highest);
  let rest = shiftedLimb(limb, 0, shift);
  for (let offset = highest; ; offset -= 8) {
    const below = offset ? load<u64>(numerator + offset - 8) : 0;
    const digit = divideTwoLimbs(rest, shiftedLimb(below, limb, shift), divisor, reciprocal);
    store<u64>(quotientLimbs + offset, digit);
    rest = remainderLow;
    limb = below;
    if (!offset) break;
  }
  setWord(remainderWord, rest >> shift);
}

/** The same for a divisor of two limbs. */
function divideByTwoLimbs(numerator: usize, highest: usize, high: u64, low: u64, shift: u64): void {
  const reciprocal = reciprocalOf(high, low);
  const top = load<u64>(numerator + highest, 8);
  let limb = load<u64>(numerator + highest);
  let rest1 = shiftedLimb(top, 0, shift);
  let rest0 = shiftedLimb(limb, top, shift);
  for (let offset = highest; ; offset -= 8) {
    const below = offset ? load<u64>(numerator + offset - 8) : 0;
    const digit = divideThreeLimbs(rest1, rest0, shiftedLimb(below, limb, shift), high, low, reciprocal);
    store<u64>(quotientLimbs + offset, digit);
    rest1 = remainderHigh;
    rest0 = remainderLow;
    limb = below;
    if (!offset) break;
  }
  storeLimbs(remainderWord, (rest0 >> shift) | ((rest1 << 1) << (63 - shift)), rest1 >> shift, 0, 0);
}

/** Divides by a divisor of `size` bytes: three or four limbs. */
function divideByLimbs(highest: usize, size: usize): void {
  const high = load<u64>(divisorLimbs + size - 8);
  const low = load<u64>(divisorLimbs + size - 16);
  const reciprocal = reciprocalOf(high, low);
  for (let offset = highest + 8; offset; ) {
    offset -= 8;
    const digit = divideWindow(numeratorLimbs + offset, size, high, low, reciprocal);
    store<u64>(quotientLimbs + offset, digit);
  }
}

/** Steps D3 to D6: returns one limb of the quotient and subtracts its multiple of the divisor from the window. */
@inline
function divideWindow(window: usize, size: usize, high: u64, low: u64, reciprocal: u64): u64 {
  const top2 = load<u64>(window + size);
  const top1 = load<u64>(window + size - 8);
  if (!top2 && top1 < high) return 0;
  const top0 = load<u64>(window + size - 16);
  if (top2 == high && top1 == low) {
    // The estimate would be 2^64: the largest limb is right, since the numerator is less than 2^64 divisors.
    subtractMultiple(window, size, u64.MAX_VALUE);
    store<u64>(window + size, 0);
    return u64.MAX_VALUE;
  }
  const digit = divideThreeLimbs(top2, top1, top0, high, low, reciprocal);
  const borrow = subtractMultiple(window, size - 16, digit);
  const rest0 = remainderLow - borrow;
  const carry = u64(remainderLow < borrow);
  store<u64>(window + size - 16, rest0);
  store<u64>(window + size - 8, remainderHigh - carry);
  store<u64>(window + size, 0);
  if (remainderHigh >= carry) return digit;
  addDivisor(window, size);
  return digit - 1;
}

/** Subtracts digit * divisor (of `size` bytes) from the limbs at `window`; returns the borrow. */
@inline
function subtractMultiple(window: usize, size: usize, digit: u64): u64 {
  let borrow: u64 = 0;
  for (let offset: usize = 0; offset < size; offset += 8) {
    const limb = load<u64>(divisorLimbs + offset);
    const numerator = load<u64>(window + offset);
    const half = numerator - borrow;
    const product = digit * limb;
    store<u64>(window + offset, half - product);
    borrow = multiplyHigh(digit, limb) + u64(numerator < borrow) + u64(half < product);
  }
  return borrow;
}

/** Adds the divisor to the limbs at `window` again, if a quotient limb was too large by one. */
function addDivisor(window: usize, size: usize): void {
  let carry: u64 = 0;
  for (let offset: usize = 0; offset < size; offset += 8) {
    const limb = load<u64>(divisorLimbs + offset);
    const half = load<u64>(window + offset) + limb;
    const sum = half + carry;
    store<u64>(window + offset, sum);
    carry = u64(half < limb) | u64(sum < carry);
  }
}

/** Shifts limbs of `size` bytes left by less than 64 bits; returns the bits shifted out. */
@inline
function shiftLimbsLeft(result: usize, source: usize, size: usize, shift: u64): u64 {
  let carry: u64 = 0;
  for (let offset: usize = 0; offset < size; offset += 8) {
    const limb = load<u64>(source + offset);
    store<u64>(result + offset, (limb << shift) | carry);
    carry = (limb >> 1) >> (63 - shift);
  }
  return carry;
}

/** Shifts limbs of `size` bytes right by less than 64 bits, filled from the limb above them. */
@inline
function shiftLimbsRight(result: usize, source: usize, size: usize, shift: u64): void {
  for (let offset: usize = 0; offset < size; offset += 8) {
    const limb = load<u64>(source + offset) >> shift;
    store<u64>(result + offset, limb | ((load<u64>(source + offset, 8) << 1) << (63 - shift)));
  }
}
