/**
 * The memory of frames, consecutive in the arena: a frame's memory begins at the end of its parent's, and only the last
 * one, that of the running frame, grows.
 */

import { MEMORY_QUADRATIC_DIVISOR, MEMORY_WORD, outOfGas, wordsOf } from './gas';
import { arenaBytes } from './hardfork';
import { ARENA, ARENA_USED_END } from './layout';
import { clearWords, copyBytes, isZero } from './word';

/** Memory of the running frame: address, and size in bytes (MSIZE). */
export let memoryStart: usize = ARENA;
export let memorySize: usize = 0;

export function setMemory(start: usize, size: usize): void {
  memoryStart = start;
  memorySize = size;
}

/** True if a word is less than 2^32: memory beyond costs more than any gas limit. */
@inline
export function isAddressable(word: usize): bool {
  return !((load<u64>(word) >> 32) | load<u64>(word, 8) | load<u64>(word, 16) | load<u64>(word, 24));
}

/**
 * Expands memory to a range, with offset and length as words, and charges for it. An empty range costs nothing at any
 * offset.
 */
export function expand(offset: usize, length: usize, gas: i64): i64 {
  if (isZero(length)) return gas;
  if (!isAddressable(offset) || !isAddressable(length)) return outOfGas();
  return reach(load<u64>(offset) + load<u64>(length), gas);
}

/** Expands memory to a range of a fixed length; the offset is a word. */
@inline
export function expandFixed(offset: usize, length: u64, gas: i64): i64 {
  if (!isAddressable(offset)) return outOfGas();
  return reach(load<u64>(offset) + length, gas);
}

/** Expands memory to an end that a constant determines. */
@inline
export function expandTo(end: usize, gas: i64): i64 {
  return reach(<u64>end, gas);
}

@inline
function reach(end: u64, gas: i64): i64 {
  return end <= <u64>memorySize ? gas : grow(end, gas);
}

/** Charges before it fills memory with zeros, so that the time is paid for. */
function grow(end: u64, gas: i64): i64 {
  const words = wordsOf(end);
  const cost = <i64>(costOf(words) - costOf(<u64>memorySize >> 5));
  if (cost > gas) return outOfGas();
  const newEnd = <u64>memoryStart + (words << 5);
  if (newEnd > <u64>ARENA + arenaBytes) return outOfGas();
  noteUse(newEnd);
  clearWords(memoryStart + memorySize, <usize>(words << 5) - memorySize);
  memorySize = <usize>(words << 5);
  return gas - cost;
}

/** Returns the total gas of a memory of `words` words (yellow paper, equation 326). */
@inline
function costOf(words: u64): u64 {
  return MEMORY_WORD * words + (words * words) / MEMORY_QUADRATIC_DIVISOR;
}

/** Notes that the arena is used up to an address, by which the host replaces an instance that holds much memory. */
export function noteUse(end: u64): void {
  if (end > <u64>load<u32>(ARENA_USED_END)) store<u32>(ARENA_USED_END, <u32>end);
}

/**
 * Copies from a source that reads as zeros beyond its end. The offset in the source is a word. Memory covers the
 * target.
 */
export function copyPadded(
  target: usize,
  offset: usize,
  length: usize,
  source: usize,
  sourceLength: usize,
): void {
  if (!length) return;
  const start = isAddressable(offset) ? <usize>load<u32>(offset) : <usize>-1;
  const available = start < sourceLength ? sourceLength - start : 0;
  const copied = min<usize>(length, available);
  if (copied) copyBytes(target, source + start, copied);
  if (copied < length) memory.fill(target + copied, 0, length - copied);
}

/** Returns the address of a range of the running frame's memory; ignores the offset of an empty range. */
@inline
export function rangeStart(offset: usize, length: usize): usize {
  return isZero(length) ? memoryStart : memoryStart + <usize>load<u32>(offset);
}
