/** Powers of words. */

import { bytesOf, copyWord, setWord } from './word';
import { multiply } from './word-multiplication';

/** The base, squared once for every bit of the exponent. */
const square: usize = memory.data(32, 16);
/** The product of the squares whose bits are set. */
const power: usize = memory.data(32, 16);
/** A copy of the exponent, which `result` may be. */
const exponentCopy: usize = memory.data(32, 16);

/** base ^ exponent mod 2^256, by squaring from the lowest bit on; 0 ^ 0 is 1. */
export function exponentiate(result: usize, base: usize, exponent: usize): void {
  copyWord(square, base);
  copyWord(exponentCopy, exponent);
  setWord(power, 1);
  const bytes = bytesOf(exponentCopy);
  for (let index: u32 = 0; index < bytes; ++index) {
    let bits: u32 = load<u8>(exponentCopy + index);
    const isLast = index + 1 == bytes;
    for (let count = 0; count < 8; ++count) {
      if (bits & 1) multiply(power, power, square);
      bits >>= 1;
      if (isLast && !bits) break;
      multiply(square, square, square);
    }
  }
  copyWord(result, power);
}
