/**
 * Division by one or two limbs of 64 bits, since Wasm divides at most 64 bits by 64 bits. A reciprocal of the divisor
 * is computed once, and every quotient limb then costs a few products. Source: N. Moeller and T. Granlund, "Improved
 * division by invariant integers" (IEEE Transactions on Computers, 2011), whose algorithm numbers are given below.
 * Divisors are normalised: their highest bit is set.
 */

import { multiplyHigh } from './word-multiplication';

/** The low 32 bits of a limb. */
const LOW_HALF: u64 = 0xffffffff;

/** Remainder of the last `divideTwoLimbs`, and the low limb of that of the last `divideThreeLimbs`. */
export let remainderLow: u64 = 0;
/** The high limb of the remainder of the last `divideThreeLimbs`. */
export let remainderHigh: u64 = 0;

/**
 * A cache of reciprocals, since programs divide by the same numbers again. An entry has the two limbs of a divisor, the
 * high one first, and its reciprocal. An unused entry has the high limb 0, which no normalised divisor has.
 */
const reciprocals: usize = memory.data(512, 16);
const ENTRY_BITS: u64 = 4;
const ENTRY_BYTES: usize = 32;

/** Returns the higher one of two neighbouring limbs, shifted left by less than 64 bits. */
@inline
export function shiftedLimb(low: u64, high: u64, shift: u64): u64 {
  return (high << shift) | ((low >> 1) >> (63 - shift));
}

/** floor((2^128 - 1) / divisor) - 2^64, by long division of the complement with two digits of 32 bits. */
function computeReciprocalOfLimb(divisor: u64): u64 {
  const high = divisor >> 32;
  const low = divisor & LOW_HALF;
  const firstDigit = quotientDigit(~divisor, LOW_HALF, high, low);
  const rest = ((~divisor << 32) | LOW_HALF) - firstDigit * divisor;
  return (firstDigit << 32) | quotientDigit(rest, LOW_HALF, high, low);
}

/** One digit of 32 bits of (numerator * 2^32 + next) / (high * 2^32 + low). */
@inline
function quotientDigit(numerator: u64, next: u64, high: u64, low: u64): u64 {
  let digit = numerator / high;
  let rest = numerator - digit * high;
  while (digit > LOW_HALF || digit * low > ((rest << 32) | next)) {
    --digit;
    rest += high;
    if (rest > LOW_HALF) break;
  }
  return digit;
}

/**
 * Reciprocal of the divisor high * 2^64 + low for `divideThreeLimbs`. With the low limb 0 it is that of the high limb
 * for `divideTwoLimbs`.
 */
export function reciprocalOf(high: u64, low: u64): u64 {
  const number = ((high + rotl<u64>(low, 29)) * 0x9e3779b97f4a7c15) >> (64 - ENTRY_BITS);
  const entry = reciprocals + <usize>number * ENTRY_BYTES;
  if (load<u64>(entry) != high || load<u64>(entry, 8) != low) {
    store<u64>(entry, high);
    store<u64>(entry, low, 8);
    store<u64>(entry, low ? computeReciprocal(high, low) : computeReciprocalOfLimb(high), 16);
  }
  return load<u64>(entry, 16);
}

/** Algorithm 6. */
function computeReciprocal(high: u64, low: u64): u64 {
  let reciprocal = computeReciprocalOfLimb(high);
  let product = high * reciprocal + low;
  if (product < low) {
    --reciprocal;
    if (product >= high) {
      --reciprocal;
      product -= high;
    }
    product -= high;
  }
  const upper = multiplyHigh(reciprocal, low);
  const lower = reciprocal * low;
  product += upper;
  if (product < upper) {
    --reciprocal;
    if (product > high || (product == high && lower >= low)) --reciprocal;
  }
  return reciprocal;
}

/**
 * (high * 2^64 + low) / divisor with high < divisor (algorithm 4). Returns the quotient, and sets the remainder in
 * `remainderLow`.
 */
@inline
export function divideTwoLimbs(high: u64, low: u64, divisor: u64, reciprocal: u64): u64 {
  const estimateLow = reciprocal * high + low;
  const estimate = multiplyHigh(reciprocal, high) + high + u64(estimateLow < low) + 1;
  const rest = low - estimate * divisor;
  const isTooLarge = rest > estimateLow;
  let quotient = estimate - u64(isTooLarge);
  let remainder = rest + select<u64>(divisor, 0, isTooLarge);
  if (remainder >= divisor) {
    ++quotient;
    remainder -= divisor;
  }
  remainderLow = remainder;
  return quotient;
}

/**
 * Divides three limbs by two, with the two highest limbs less than the divisor (algorithm 5). Returns the quotient, and
 * sets the remainder in `remainderHigh` and `remainderLow`.
 */
@inline
export function divideThreeLimbs(
  numerator2: u64,
  numerator1: u64,
  numerator0: u64,
  divisor1: u64,
  divisor0: u64,
  reciprocal: u64,
): u64 {
  const estimateLow = reciprocal * numerator2 + numerator1;
  let quotient = multiplyHigh(reciprocal, numerator2) + numerator2 + u64(estimateLow < numerator1);
  const productLow = divisor0 * quotient;
  const restLow = numerator0 - productLow;
  const restHigh =
    numerator1 - quotient * divisor1 - multiplyHigh(divisor0, quotient) - u64(numerator0 < productLow);
  let low = restLow - divisor0;
  let high = restHigh - divisor1 - u64(restLow < divisor0);
  ++quotient;
  if (high >= estimateLow) {
    --quotient;
    low += divisor0;
    high += divisor1 + u64(low < divisor0);
  }
  if (high > divisor1 || (high == divisor1 && low >= divisor0)) {
    ++quotient;
    high -= divisor1 + u64(low < divisor0);
    low -= divisor0;
  }
  remainderHigh = high;
  remainderLow = low;
  return quotient;
}
