/**
 * Bodies of fused instructions. They take the address after the topmost stack item and, where there are
 * constants, the place of the data of the first PUSH.
 */

import { codeStart } from '../frames';
import { expandFixed, expandTo, memoryStart } from '../memory';
import * as word from '../word';
import { copyWord, reverseBytes, reverseLimbs, setWord, WORD_BYTES } from '../word';

/** Returns the two bytes of a PUSH2. */
@inline
export function shortAt(data: usize): usize {
  return <usize>bswap<u16>(load<u16>(data));
}

/** Returns the place after the JUMPDEST at an offset. */
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

/** PUSH1 SWAP1 */
@inline
export function pushBelow(top: usize, data: usize): usize {
  copyWord(top, top - WORD_BYTES);
  setWord(top - WORD_BYTES, load<u8>(data));
  return top + WORD_BYTES;
}

/** PUSH1 DUP2 SWAP1: a copy of the topmost item, and a number above it. */
@inline
export function duplicateBelow(top: usize, data: usize): usize {
  copyWord(top, top - WORD_BYTES);
  setWord(top + WORD_BYTES, load<u8>(data));
  return top + 2 * WORD_BYTES;
}

/** PUSH1 DUP2 SWAP1 SHR */
@inline
export function shiftedRight(top: usize, data: usize): usize {
  word.shiftRightBy(top, load<u8>(data), top - WORD_BYTES);
  return top + WORD_BYTES;
}

/** PUSH1 DUP2 SWAP1 SHL */
@inline
export function shiftedLeft(top: usize, data: usize): usize {
  word.shiftLeftBy(top, load<u8>(data), top - WORD_BYTES);
  return top + WORD_BYTES;
}

/**
 * PUSH1 PUSH1 PUSH1 SHL SUB, which makes masks: the second number, shifted left by the third, less the first. Writes
 * it above the top, and maybe into the item above that: three items are known to have room.
 */
export function writeMask(top: usize, data: usize): void {
  const number = <u64>load<u8>(data, 2);
  const bits = <usize>load<u8>(data, 4);
  const place = top + ((bits >> 6) << 3);
  word.clearWord(top);
  store<u64>(place, number << (bits & 63));
  store<u64>(place, (number >> 1) >> (63 - (bits & 63)), 8);
  word.subtractLimb(top, load<u8>(data));
}

/** The same, and AND. */
@inline
export function mask(top: usize, data: usize): void {
  writeMask(top, data);
  word.bitwiseAnd(top - WORD_BYTES, top - WORD_BYTES, top);
}

/** PUSH1 DUP3 */
@inline
export function pushDuplicateThird(top: usize, data: usize): usize {
  setWord(top, load<u8>(data));
  copyWord(top + WORD_BYTES, top - 2 * WORD_BYTES);
  return top + 2 * WORD_BYTES;
}

/** PUSH0 PUSH1 */
@inline
export function pushZeroAnd(top: usize, data: usize): usize {
  word.clearWord(top);
  setWord(top + WORD_BYTES, load<u8>(data));
  return top + 2 * WORD_BYTES;
}

/** PUSH1 NOT */
@inline
export function pushNot(top: usize, data: usize): usize {
  word.storeLimbs(top, ~(<u64>load<u8>(data)), u64.MAX_VALUE, u64.MAX_VALUE, u64.MAX_VALUE);
  return top + WORD_BYTES;
}

/** DUP1 PUSH1 ADD */
@inline
export function sumOf(top: usize, data: usize): usize {
  copyWord(top, top - WORD_BYTES);
  word.addLimb(top, load<u8>(data));
  return top + WORD_BYTES;
}

/** SWAP2 SWAP1: the topmost item goes below the two others. */
@inline
export function lowerFirst(top: usize): void {
  rotate(top - WORD_BYTES, top - 2 * WORD_BYTES, top - 3 * WORD_BYTES);
}

/** SWAP1 SWAP2: the item below the two topmost comes to the top. */
@inline
export function raiseThird(top: usize): void {
  rotate(top - 3 * WORD_BYTES, top - 2 * WORD_BYTES, top - WORD_BYTES);
}

/** Moves three words on: the second to the first place, the third to the second, and the first to the third. */
@inline
function rotate(first: usize, second: usize, third: usize): void {
  const limb0 = load<u64>(first);
  const limb1 = load<u64>(first, 8);
  const limb2 = load<u64>(first, 16);
  const limb3 = load<u64>(first, 24);
  copyWord(first, second);
  copyWord(second, third);
  word.storeLimbs(third, limb0, limb1, limb2, limb3);
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

/** DUP2 MSTORE, or SWAP1 MSTORE: stores the topmost item at the offset below it. */
@inline
export function storeAtItem(top: usize, gas: i64): i64 {
  const offset = top - 2 * WORD_BYTES;
  const left = expandFixed(offset, 32, gas);
  if (left >= 0) reverseLimbs(memoryStart + <usize>load<u32>(offset), top - WORD_BYTES);
  return left;
}

/** SWAP1 DUP2 MSTORE: stores the item below the topmost one, which is the offset and stays. */
@inline
export function storeBelow(top: usize, gas: i64): i64 {
  const offset = top - WORD_BYTES;
  const left = expandFixed(offset, 32, gas);
  if (left < 0) return left;
  reverseLimbs(memoryStart + <usize>load<u32>(offset), offset - WORD_BYTES);
  copyWord(offset - WORD_BYTES, offset);
  return left;
}

/** Tests whether the topmost item is the number of a PUSH4. */
@inline
export function isSelector(top: usize, data: usize): bool {
  return word.fitsLimb(top - WORD_BYTES) && load<u64>(top - WORD_BYTES) == bswap<u32>(load<u32>(data));
}

/** DUP2 AND */
@inline
export function andItem(top: usize): void {
  word.bitwiseAnd(top - WORD_BYTES, top - WORD_BYTES, top - 2 * WORD_BYTES);
}

/** DUP1 SWAP2 SUB SWAP1: takes the topmost item from the one below it. */
@inline
export function subtractItem(top: usize): void {
  word.subtract(top - 2 * WORD_BYTES, top - 2 * WORD_BYTES, top - WORD_BYTES);
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
