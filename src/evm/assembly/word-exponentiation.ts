/** Powers of words. */

import { add, clearWord, copyWord, fitsLimb, setWord, storeLimbs } from './word';
import { multiply, square } from './word-multiplication';

/** 1 / 3 mod 2^64. */
const THIRD: u64 = 0xaaaaaaaaaaaaaaab;

/** The base to the powers 1, 2, 4 and so on. */
const power: usize = memory.data(32, 16);
const product: usize = memory.data(32, 16);
const series: usize = memory.data(32, 16);
const term: usize = memory.data(32, 16);
const factor: usize = memory.data(32, 16);

/** base ^ exponent mod 2^256; 0 ^ 0 is 1. */
export function exponentiate(result: usize, base: usize, exponent: usize): void {
  const lower = load<u64>(exponent);
  const isLimb = fitsLimb(exponent);
  if (!(load<u8>(base) & 1) && !(isLimb && lower < 256)) {
    clearWord(result); // an even base: a multiple of 2^256
    return;
  }
  copyWord(power, base);
  setWord(product, 1);
  if (isLimb) {
    for (let bits = lower; bits; bits >>= 1) {
      if (bits & 1) multiply(product, product, power);
      if (bits > 1) square(power, power);
    }
    copyWord(result, product);
    return;
  }
  for (let bit: u64 = 0; bit < 64; bit++) {
    if ((lower >> bit) & 1) multiply(product, product, power);
    square(power, power);
  }
  raisePower(load<u64>(exponent, 8), load<u64>(exponent, 16), load<u64>(exponent, 24));
  multiply(result, product, series);
}

/**
 * Raises `power`, an odd number to the power 2^64, to the power n of three limbs, and writes `series`. `power` is 1 + z
 * with a multiple z of 2^66, since squaring raises the power of two in z by one and more. So z^4 is 0, and the binomial
 * series ends early: 1 + n z + n (n - 1) / 2 z^2 + n (n - 1) (n - 2) / 6 z^3. With v = z / 2^66 its last terms are
 * 2^131 n (n - 1) v^2 and 2^197 n (n - 1) (n - 2) v^3 / 3.
 */
function raisePower(n0: u64, n1: u64, n2: u64): void {
  const z1 = load<u64>(power, 8);
  const z2 = load<u64>(power, 16);
  const z3 = load<u64>(power, 24);
  storeLimbs(power, 0, z1, z2, z3);
  storeLimbs(factor, n0, n1, n2, 0);
  multiply(series, power, factor);
  store<u8>(series, 1); // its lower limb was 0

  const v0 = (z1 >> 2) | (z2 << 62);
  storeLimbs(term, v0, (z2 >> 2) | (z3 << 62), 0, 0);
  square(term, term);
  multiply(term, term, factor);
  storeLimbs(factor, n0 - 1, n1 - u64(n0 == 0), 0, 0);
  multiply(term, term, factor);
  const term0 = load<u64>(term);
  const last = n0 * (n0 - 1) * (n0 - 2) * v0 * v0 * v0 * THIRD;
  storeLimbs(term, 0, 0, term0 << 3, ((load<u64>(term, 8) << 3) | (term0 >> 61)) + (last << 5));
  add(series, series, term);
}
