/**
 * Reduction of a product of two words modulo a word of four limbs: long division as in `word-division.ts`,
 * but with all limbs in locals and no quotient kept. Programs multiply modulo the same number again and again,
 * so the normalised modulus and its reciprocal are kept from one product to the next.
 */

import { divideThreeLimbs, reciprocalOfTwoLimbs, remainderHigh, remainderLow } from './limb-division';
import { copyWord, equals, storeLimbs } from './word';
import { multiplyHigh } from './word-multiplication';

/** The last modulus, and the same shifted so that its highest bit is set. */
const lastModulus: usize = memory.data(32, 16);
const divisor: usize = memory.data(32, 16);
let shift: u64 = 0;
let reciprocal: u64 = 0;

/** Returns the bits of two neighbouring limbs that make up the higher one, shifted left. */
@inline
function shifted(low: u64, high: u64): u64 {
  return (high << shift) | ((low >> 1) >> (63 - shift));
}

/** Normalises a modulus, whose highest limb is not zero. */
function setModulus(modulus: usize): void {
  copyWord(lastModulus, modulus);
  shift = clz<u64>(load<u64>(modulus, 24));
  const limb0 = load<u64>(modulus);
  const limb1 = load<u64>(modulus, 8);
  const limb2 = load<u64>(modulus, 16);
  const high = shifted(limb2, load<u64>(modulus, 24));
  const second = shifted(limb1, limb2);
  storeLimbs(divisor, limb0 << shift, shifted(limb0, limb1), second, high);
  reciprocal = reciprocalOfTwoLimbs(high, second);
}

/**
 * The product of eight limbs modulo a word whose highest limb is not zero. False, and nothing written, in the
 * rare case that it leaves to the general division.
 */
export function reduceProduct(result: usize, product: usize, modulus: usize): bool {
  if (!equals(modulus, lastModulus)) setModulus(modulus);
  const d0 = load<u64>(divisor);
  const d1 = load<u64>(divisor, 8);
  const d2 = load<u64>(divisor, 16);
  const d3 = load<u64>(divisor, 24);
  // The rest: four limbs, less than the divisor.
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
    // Takes digit * (d1, d0) from the four limbs (remainderHigh, remainderLow, rest0, next).
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
    // The digit was too great by one: gives the divisor back.
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

/** Returns a limb of the rest, shifted back. */
@inline
function joined(low: u64, high: u64): u64 {
  return (low >> shift) | ((high << 1) << (63 - shift));
}
