/**
 * Bodies of fused instructions that need more than one line. `top` is the address after the topmost stack item, `data`
 * the address of the data of the first PUSH. Functions that charge gas return the gas left.
 */

import { codeStart } from '../frames';
import { expandFixed, expandTo, memoryStart } from '../memory';
import * as word from '../word';
import { copyWord, reverseBytes, reverseLimbs, WORD_BYTES } from '../word';

/** Returns the two bytes of a PUSH2. */
@inline
export function shortAt(data: usize): usize {
  return <usize>bswap<u16>(load<u16>(data));
}

/** Returns the address after the JUMPDEST at an offset. */
@inline
export function after(offset: usize): usize {
  return codeStart + offset + 1;
}

/**
 * PUSH1 PUSH1 PUSH1 SHL SUB, which makes masks: the second number, shifted left by the third, minus the first. Writes
 * it above the top, and perhaps into the item above that: the rule guarantees space for three items.
 */
export function writeMask(top: usize, data: usize): void {
  const number = <u64>load<u8>(data, 2);
  const bits = <usize>load<u8>(data, 4);
  const limb = top + ((bits >> 6) << 3);
  word.clearWord(top);
  store<u64>(limb, number << (bits & 63));
  store<u64>(limb, (number >> 1) >> (63 - (bits & 63)), 8);
  word.subtractLimb(top, load<u8>(data));
}

/** PUSH MLOAD: writes the word at an offset above the top. */
@inline
export function loadAt(top: usize, offset: usize, gas: i64): i64 {
  const left = expandTo(offset + WORD_BYTES, gas);
  if (left >= 0) reverseBytes(top, memoryStart + offset);
  return left;
}

/** PUSH MSTORE: stores the topmost item. */
@inline
export function storeAt(top: usize, offset: usize, gas: i64): i64 {
  const left = expandTo(offset + WORD_BYTES, gas);
  if (left >= 0) reverseLimbs(memoryStart + offset, top - WORD_BYTES);
  return left;
}

/** PUSH1 DUP2 MSTORE: stores a number at the offset that is the topmost item. */
@inline
export function storeByteAtItem(top: usize, data: usize, gas: i64): i64 {
  const left = expandFixed(top - WORD_BYTES, 32, gas);
  if (left < 0) return left;
  const target = memoryStart + <usize>load<u32>(top - WORD_BYTES);
  word.clearWord(target);
  store<u8>(target, load<u8>(data), 31);
  return left;
}

/** SWAP1 DUP2 MSTORE: stores the second item at the offset that is the topmost one; the offset stays. */
@inline
export function storeBelow(top: usize, gas: i64): i64 {
  const offset = top - WORD_BYTES;
  const left = expandFixed(offset, 32, gas);
  if (left < 0) return left;
  reverseLimbs(memoryStart + <usize>load<u32>(offset), offset - WORD_BYTES);
  copyWord(offset - WORD_BYTES, offset);
  return left;
}

/** True if the topmost item is the number of a PUSH4. */
@inline
export function isSelector(top: usize, data: usize): bool {
  return word.fitsLimb(top - WORD_BYTES) && load<u64>(top - WORD_BYTES) == bswap<u32>(load<u32>(data));
}
