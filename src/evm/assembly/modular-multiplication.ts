/**
 * Multiplication modulo a word. A product of eight limbs is reduced by long division as in `word-division.ts`, but with
 * all limbs in locals and without the quotient. Programs multiply modulo the same number again and again, so the
 * normalised modulus and its reciprocal are cached.
 */

import { divideThreeLimbs, reciprocalOf, remainderHigh, remainderLow, shiftedLimb } from './limb-division';
import { copyWord, equals, storeLimbs } from './word';
import { moduloLong } from './word-division';
import { addLimb, addLimbs, addProduct, multiplyFull, multiplyHigh } from './word-multiplication';

const product: usize = memory.data(64, 16);
const reduced: usize = memory.data(32, 16);

/** The last modulus, and the same shifted so that its highest bit is set. */
const lastModulus: usize = memory.data(32, 16);
const divisor: usize = memory.data(32, 16);
let shift: u64 = 0;
let reciprocal: u64 = 0;

/** (a * b) mod modulus; 0 when the modulus is 0. */
export function multiplyModulo(result: usize, a: usize, b: usize, modulus: usize): void {
  multiplyFull(product, a, b);
  if (isJustBelowPower(modulus)) {
    foldProduct(0 - load<u64>(modulus));
    copyWord(result, product);
  } else if (!load<u64>(modulus, 24) || !reduceProduct(result, product, modulus)) {
    moduloLong(result, product, 8, modulus);
  }
}

/** True if a modulus is 2^256 minus a complement of one limb, which is not zero. */
@inline
function isJustBelowPower(modulus: usize): bool {
  const upperLimbs = load<u64>(modulus, 8) & load<u64>(modulus, 16) & load<u64>(modulus, 24);
  return upperLimbs == u64.MAX_VALUE && load<u64>(modulus) != 0;
}

/**
 * Reduces the product in place mod 2^256 - complement: 2^256 and the complement are congruent, so the high
 * half times the complement is added to the low half. Such moduli are common: 2^256 - 1 in products of full
 * precision, and the prime of secp256k1.
 */
function foldProduct(complement: u64): void {
  let carry: u64 = 0;
  for (let offset: usize = 0; offset < 32; offset += 8) {
    const position = product + offset;
    carry = addProduct(position, load<u64>(position, 32), complement, carry);
  }
  carry = addProduct(product, carry, complement, 0);
  for (let offset: usize = 8; offset < 32; offset += 8) carry = addLimb(product + offset, carry);
  addLimbs(product, carry ? complement : 0);
  // The sum is less than 2^256: one modulus too large exactly if the complement makes it overflow.
  copyWord(reduced, product);
  if (!addLimbs(product, complement)) copyWord(product, reduced);
}

/** Returns the bits of two neighbouring limbs that make up the higher one, shifted left. */
@inline
function shifted(low: u64, high: u64): u64 {
  return shiftedLimb(low, high, shift);
}

/** Normalises a modulus with a highest limb other than zero. */
function setModulus(modulus: usize): void {
  copyWord(lastModulus, modulus);
  shift = clz<u64>(load<u64>(modulus, 24));
  const limb0 = load<u64>(modulus);
  const limb1 = load<u64>(modulus, 8);
  const limb2 = load<u64>(modulus, 16);
  const high = shifted(limb2, load<u64>(modulus, 24));
  const second = shifted(limb1, limb2);
  storeLimbs(divisor, limb0 << shift, shifted(limb0, limb1), second, high);
  reciprocal = reciprocalOf(high, second);
}

/**
 * Reduces a product of eight limbs modulo a word with a highest limb other than zero. Returns false, and writes
 * nothing, in the rare case that needs the general division.
 */
function reduceProduct(result: usize, product: usize, modulus: usize): bool {
  if (!equals(modulus, lastModulus)) setModulus(modulus);
  const d0 = load<u64>(divisor);
  const d1 = load<u64>(divisor, 8);
  const d2 = load<u64>(divisor, 16);
  const d3 = load<u64>(divisor, 24);
  // The remainder so far: four limbs, less than the divisor.
  let rest3 = (load<u64>(product, 56) >> 1) >> (63 - shift);
  let rest2 = shifted(load<u64>(product, 48), load<u64>(product, 56));
  let rest1 = shifted(load<u64>(product, 40), load<u64>(product, 48));
  let rest0 = shifted(load<u64>(product, 32), load<u64>(product, 40));
  let position = product + 32;
  if (!rest3 && rest2 < d3) {
    rest3 = rest2;
    rest2 = rest1;
    rest1 = rest0;
    rest0 = shifted(load<u64>(position - 8), load<u64>(position));
    position -= 8;
  }
  for (; position >= product; position -= 8) {
    if (rest3 == d3 && rest2 == d2) return false;
    const below = position == product ? 0 : load<u64>(position - 8);
    const next = shifted(below, load<u64>(position));
    const digit = divideThreeLimbs(rest3, rest2, rest1, d3, d2, reciprocal);
    // Subtracts digit * (d1, d0) from the four limbs (remainderHigh, remainderLow, rest0, next).
    const taken0 = digit * d0;
    const low1 = digit * d1;
    const taken1 = multiplyHigh(digit, d0) + low1;
    const taken2 = multiplyHigh(digit, d1) + u64(taken1 < low1);
    const borrow0 = u64(next < taken0);
    const half1 = rest0 - taken1;
    const borrow1 = u64(rest0 < taken1) | u64(half1 < borrow0);
    const half2 = remainderLow - taken2;
    const borrow2 = u64(remainderLow < taken2) | u64(half2 < borrow1);
    const isNegative = remainderHigh < borrow2;
    rest3 = remainderHigh - borrow2;
    rest2 = half2 - borrow1;
    rest1 = half1 - borrow0;
    rest0 = next - taken0;
    if (!isNegative) continue;
    // The digit was too large by one: adds the divisor again.
    const sum0 = rest0 + d0;
    const carry0 = u64(sum0 < d0);
    const sum1 = rest1 + d1;
    const carry1 = u64(sum1 < d1) | u64(sum1 + carry0 < carry0);
    const sum2 = rest2 + d2;
    const carry2 = u64(sum2 < d2) | u64(sum2 + carry1 < carry1);
    rest3 += d3 + carry2;
    rest2 = sum2 + carry1;
    rest1 = sum1 + carry0;
    rest0 = sum0;
  }
  storeLimbs(result, joined(rest0, rest1), joined(rest1, rest2), joined(rest2, rest3), rest3 >> shift);
  return true;
}

/** Returns a limb of the remainder, shifted back. */
@inline
function joined(low: u64, high: u64): u64 {
  return (low >> shift) | ((high << 1) << (63 - shift));
}
