/**
 * Bodies of fused instructions. They take the address after the topmost stack item and, where there are
 * constants, the place of the data of the first PUSH.
 */

import { codeStart } from '../frames';
import { expandFixed, expandTo, memoryStart } from '../memory';
import * as word from '../word';
import { copyWord, reverseBytes, reverseLimbs, setWord, WORD_BYTES } from '../word';

/** The two bytes of a PUSH2. */
@inline
export function shortAt(data: usize): usize {
  return <usize>bswap<u16>(load<u16>(data));
}

/** The place after the JUMPDEST at an offset. */
@inline
export function after(offset: usize): usize {
  return codeStart + offset + 1;
}

/** PUSH1 ADD */
@inline
export function addByte(top: usize, data: usize): void {
  word.addLimb(top - WORD_BYTES, load<u8>(data));
}

/** PUSH1 SWAP1 SUB */
@inline
export function subtractByte(top: usize, data: usize): void {
  word.subtractLimb(top - WORD_BYTES, load<u8>(data));
}

/** PUSH1 SHL */
@inline
export function shiftLeftByte(top: usize, data: usize): void {
  word.shiftLeftBy(top - WORD_BYTES, load<u8>(data), top - WORD_BYTES);
}

/** PUSH1 SHR */
@inline
export function shiftRightByte(top: usize, data: usize): void {
  word.shiftRightBy(top - WORD_BYTES, load<u8>(data), top - WORD_BYTES);
}

/** DUPn ADD */
@inline
export function addItem(top: usize, depth: usize): void {
  word.add(top - WORD_BYTES, top - depth * WORD_BYTES, top - WORD_BYTES);
}

/** SWAPn POP */
@inline
export function dropBelow(top: usize, depth: usize): usize {
  copyWord(top - (depth + 1) * WORD_BYTES, top - WORD_BYTES);
  return top - WORD_BYTES;
}

/** DUPm DUPn */
@inline
export function duplicateTwo(top: usize, first: usize, second: usize): usize {
  copyWord(top, top - first * WORD_BYTES);
  copyWord(top + WORD_BYTES, top + WORD_BYTES - second * WORD_BYTES);
  return top + 2 * WORD_BYTES;
}

/** PUSH1 PUSH1 */
@inline
export function pushTwo(top: usize, data: usize): usize {
  setWord(top, load<u8>(data));
  setWord(top + WORD_BYTES, load<u8>(data, 2));
  return top + 2 * WORD_BYTES;
}

/** PUSH1 DUP2 */
@inline
export function pushDuplicate(top: usize, data: usize): usize {
  setWord(top, load<u8>(data));
  copyWord(top + WORD_BYTES, top - WORD_BYTES);
  return top + 2 * WORD_BYTES;
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
  const place = memoryStart + <usize>load<u32>(top - WORD_BYTES);
  word.clearWord(place);
  store<u8>(place, load<u8>(data), 31);
  return left;
}

/** DUPn MLOAD: writes the word above the top. */
@inline
export function loadAtItem(top: usize, depth: usize, gas: i64): i64 {
  const offset = top - depth * WORD_BYTES;
  const left = expandFixed(offset, 32, gas);
  if (left >= 0) reverseBytes(top, memoryStart + <usize>load<u32>(offset));
  return left;
}

/** DUP2 MSTORE: stores the topmost item at the offset below it. */
@inline
export function storeAtItem(top: usize, gas: i64): i64 {
  const offset = top - 2 * WORD_BYTES;
  const left = expandFixed(offset, 32, gas);
  if (left >= 0) reverseLimbs(memoryStart + <usize>load<u32>(offset), top - WORD_BYTES);
  return left;
}

/** Whether the topmost item is the number of a PUSH4. */
@inline
export function isSelector(top: usize, data: usize): bool {
  return word.fitsLimb(top - WORD_BYTES) && load<u64>(top - WORD_BYTES) == bswap<u32>(load<u32>(data));
}

/** LT, GT or EQ, before a jump, of the two words at `words`, the second of which was the topmost. */
@inline
export function compares(opcode: u32, words: usize): bool {
  if (opcode == 0xb7) return word.lessThan(words + WORD_BYTES, words);
  return opcode == 0xb8 ? word.lessThan(words, words + WORD_BYTES) : word.equals(words, words + WORD_BYTES);
}

/** DUP2 LT */
@inline
export function lessThanItem(top: usize): void {
  setWord(top - WORD_BYTES, <u64>word.lessThan(top - 2 * WORD_BYTES, top - WORD_BYTES));
}

/** DUP2 GT */
@inline
export function greaterThanItem(top: usize): void {
  setWord(top - WORD_BYTES, <u64>word.lessThan(top - WORD_BYTES, top - 2 * WORD_BYTES));
}

/** DUP2 EQ */
@inline
export function equalsItem(top: usize): void {
  setWord(top - WORD_BYTES, <u64>word.equals(top - WORD_BYTES, top - 2 * WORD_BYTES));
}

/** SWAP1 SUB */
@inline
export function subtractFromItem(top: usize): usize {
  word.subtract(top - 2 * WORD_BYTES, top - 2 * WORD_BYTES, top - WORD_BYTES);
  return top - WORD_BYTES;
}

/** ISZERO ISZERO */
@inline
export function isNotZero(top: usize): void {
  setWord(top - WORD_BYTES, <u64>!word.isZero(top - WORD_BYTES));
}

/** LT ISZERO */
@inline
export function isNotLess(top: usize): usize {
  setWord(top - 2 * WORD_BYTES, <u64>!word.lessThan(top - WORD_BYTES, top - 2 * WORD_BYTES));
  return top - WORD_BYTES;
}

/** GT ISZERO */
@inline
export function isNotGreater(top: usize): usize {
  setWord(top - 2 * WORD_BYTES, <u64>!word.lessThan(top - 2 * WORD_BYTES, top - WORD_BYTES));
  return top - WORD_BYTES;
}
