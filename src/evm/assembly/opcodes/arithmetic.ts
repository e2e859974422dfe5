/**
 * Arithmetic. Every body takes the address after the topmost stack item and returns the one after it has
 * popped its operands and pushed its result.
 */

import { charge, EXPONENT_BYTE } from '../gas';
import * as word from '../word';
import { bytesOf, WORD_BYTES } from '../word';
import { multiplyModulo } from '../modular-product';
import { addModulo, divide, modulo, signedDivide, signedModulo } from '../word-division';
import { exponentiate } from '../word-exponentiation';
import { multiply } from '../word-multiplication';

@inline
export function add(top: usize): usize {
  word.add(top - 2 * WORD_BYTES, top - WORD_BYTES, top - 2 * WORD_BYTES);
  return top - WORD_BYTES;
}

@inline
export function mul(top: usize): usize {
  multiply(top - 2 * WORD_BYTES, top - WORD_BYTES, top - 2 * WORD_BYTES);
  return top - WORD_BYTES;
}

@inline
export function sub(top: usize): usize {
  word.subtract(top - 2 * WORD_BYTES, top - WORD_BYTES, top - 2 * WORD_BYTES);
  return top - WORD_BYTES;
}

/** DIV: zero for a divisor of zero. */
@inline
export function div(top: usize): usize {
  divide(top - 2 * WORD_BYTES, top - WORD_BYTES, top - 2 * WORD_BYTES);
  return top - WORD_BYTES;
}

/** SDIV: -2^255 / -1 is -2^255. */
@inline
export function sdiv(top: usize): usize {
  signedDivide(top - 2 * WORD_BYTES, top - WORD_BYTES, top - 2 * WORD_BYTES);
  return top - WORD_BYTES;
}

/** MOD: zero for a modulus of zero. */
@inline
export function mod(top: usize): usize {
  modulo(top - 2 * WORD_BYTES, top - WORD_BYTES, top - 2 * WORD_BYTES);
  return top - WORD_BYTES;
}

/** SMOD: the sign is the dividend's. */
@inline
export function smod(top: usize): usize {
  signedModulo(top - 2 * WORD_BYTES, top - WORD_BYTES, top - 2 * WORD_BYTES);
  return top - WORD_BYTES;
}

/** ADDMOD: the sum is not cut to 256 bits. */
@inline
export function addmod(top: usize): usize {
  const modulus = top - 3 * WORD_BYTES;
  addModulo(modulus, top - WORD_BYTES, top - 2 * WORD_BYTES, modulus);
  return top - 2 * WORD_BYTES;
}

/** MULMOD: the product is not cut to 256 bits. */
@inline
export function mulmod(top: usize): usize {
  const modulus = top - 3 * WORD_BYTES;
  multiplyModulo(modulus, top - WORD_BYTES, top - 2 * WORD_BYTES, modulus);
  return top - 2 * WORD_BYTES;
}

/** EXP: charges for the bytes of the exponent (EIP-160). Returns the gas that is left. */
export function exp(top: usize, gas: i64): i64 {
  const exponent = top - 2 * WORD_BYTES;
  const left = charge(gas, <i64>(EXPONENT_BYTE * bytesOf(exponent)));
  if (left >= 0) exponentiate(exponent, top - WORD_BYTES, exponent);
  return left;
}

@inline
export function signextend(top: usize): usize {
  word.signExtend(top - 2 * WORD_BYTES, top - WORD_BYTES, top - 2 * WORD_BYTES);
  return top - WORD_BYTES;
}
