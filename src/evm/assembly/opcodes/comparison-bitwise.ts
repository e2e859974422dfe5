/** Comparison and bits. Bodies take and return the address after the topmost stack item. */

import {
  bitwiseAnd,
  bitwiseNot,
  bitwiseOr,
  bitwiseXor,
  byteAt,
  equals,
  isZero,
  leadingZeroBits,
  lessThan,
  setWord,
  shiftLeft,
  shiftRight,
  shiftRightArithmetic,
  signedLessThan,
  WORD_BYTES,
} from '../word';

@inline
export function lt(top: usize): usize {
  setWord(top - 2 * WORD_BYTES, <u64>lessThan(top - WORD_BYTES, top - 2 * WORD_BYTES));
  return top - WORD_BYTES;
}

@inline
export function gt(top: usize): usize {
  setWord(top - 2 * WORD_BYTES, <u64>lessThan(top - 2 * WORD_BYTES, top - WORD_BYTES));
  return top - WORD_BYTES;
}

@inline
export function slt(top: usize): usize {
  setWord(top - 2 * WORD_BYTES, <u64>signedLessThan(top - WORD_BYTES, top - 2 * WORD_BYTES));
  return top - WORD_BYTES;
}

@inline
export function sgt(top: usize): usize {
  setWord(top - 2 * WORD_BYTES, <u64>signedLessThan(top - 2 * WORD_BYTES, top - WORD_BYTES));
  return top - WORD_BYTES;
}

@inline
export function eq(top: usize): usize {
  setWord(top - 2 * WORD_BYTES, <u64>equals(top - WORD_BYTES, top - 2 * WORD_BYTES));
  return top - WORD_BYTES;
}

@inline
export function iszero(top: usize): usize {
  setWord(top - WORD_BYTES, <u64>isZero(top - WORD_BYTES));
  return top;
}

@inline
export function and(top: usize): usize {
  bitwiseAnd(top - 2 * WORD_BYTES, top - WORD_BYTES, top - 2 * WORD_BYTES);
  return top - WORD_BYTES;
}

@inline
export function or(top: usize): usize {
  bitwiseOr(top - 2 * WORD_BYTES, top - WORD_BYTES, top - 2 * WORD_BYTES);
  return top - WORD_BYTES;
}

@inline
export function xor(top: usize): usize {
  bitwiseXor(top - 2 * WORD_BYTES, top - WORD_BYTES, top - 2 * WORD_BYTES);
  return top - WORD_BYTES;
}

@inline
export function not(top: usize): usize {
  bitwiseNot(top - WORD_BYTES, top - WORD_BYTES);
  return top;
}

@inline
export function byte(top: usize): usize {
  byteAt(top - 2 * WORD_BYTES, top - WORD_BYTES, top - 2 * WORD_BYTES);
  return top - WORD_BYTES;
}

/** SHL (EIP-145) */
@inline
export function shl(top: usize): usize {
  shiftLeft(top - 2 * WORD_BYTES, top - WORD_BYTES, top - 2 * WORD_BYTES);
  return top - WORD_BYTES;
}

/** SHR (EIP-145) */
@inline
export function shr(top: usize): usize {
  shiftRight(top - 2 * WORD_BYTES, top - WORD_BYTES, top - 2 * WORD_BYTES);
  return top - WORD_BYTES;
}

/** SAR (EIP-145) */
@inline
export function sar(top: usize): usize {
  shiftRightArithmetic(top - 2 * WORD_BYTES, top - WORD_BYTES, top - 2 * WORD_BYTES);
  return top - WORD_BYTES;
}

/** CLZ (EIP-7939): 256 for zero. */
@inline
export function clz(top: usize): usize {
  setWord(top - WORD_BYTES, leadingZeroBits(top - WORD_BYTES));
  return top;
}
