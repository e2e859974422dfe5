/** Powers of words. */

import { bytesOf, copyWord, setWord, WORD_BYTES } from './word';
import { multiply, square } from './word-multiplication';

/** The powers of the base from 0 to 15. */
const powers: usize = memory.data(512, 16);
const power: usize = memory.data(32, 16);
/** A copy of the exponent, which `result` may be. */
const exponentCopy: usize = memory.data(32, 16);

/** base ^ exponent mod 2^256, by four bits of the exponent at a time, the highest first; 0 ^ 0 is 1. */
export function exponentiate(result: usize, base: usize, exponent: usize): void {
  copyWord(exponentCopy, exponent);
  const bytes = bytesOf(exponentCopy);
  if (bytes <= 1) {
    exponentiateShort(result, base, load<u8>(exponentCopy));
    return;
  }
  setWord(powers, 1);
  copyWord(powers + WORD_BYTES, base);
  for (let index: usize = 2; index < 16; index++) {
    multiply(powers + index * WORD_BYTES, powers + (index - 1) * WORD_BYTES, powers + WORD_BYTES);
  }
  const highest = <usize>load<u8>(exponentCopy + bytes - 1);
  copyWord(power, powers + (highest >> 4) * WORD_BYTES);
  multiplyByDigit(highest & 15);
  for (let index = bytes - 1; index; index--) {
    const digits = <usize>load<u8>(exponentCopy + index - 1);
    multiplyByDigit(digits >> 4);
    multiplyByDigit(digits & 15);
  }
  copyWord(result, power);
}

/** power ^ 16 * base ^ digit. */
function multiplyByDigit(digit: usize): void {
  square(power, power);
  square(power, power);
  square(power, power);
  square(power, power);
  if (digit) multiply(power, power, powers + digit * WORD_BYTES);
}

/** Does the same for an exponent of one byte, bit by bit, for which a table of powers does not pay off. */
function exponentiateShort(result: usize, base: usize, exponent: u32): void {
  copyWord(powers, base);
  setWord(power, 1);
  for (let bits = exponent; bits; bits >>= 1) {
    if (bits & 1) multiply(power, power, powers);
    if (bits > 1) square(powers, powers);
  }
  copyWord(result, power);
}
