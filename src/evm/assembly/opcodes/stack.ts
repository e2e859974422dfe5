/** Multi-byte pushes and exchanges of stack items. `top` is the address after the topmost item. */

import { copyWord, reverseBytes, setWord, storeLimbs, WORD_BYTES } from '../word';

/** 32 bytes of ones, then 32 of zeros. The word at byte 32 - n has ones in its n least significant bytes. */
const MASKS: usize = memory.data<u64>([
  0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0, 0, 0, 0,
]);

/** PUSH3 to PUSH8: `size` bytes at `data`. Returns the new top. */
@inline
export function pushLimb(top: usize, data: usize, size: u32): usize {
  setWord(top, bswap<u64>(load<u64>(data)) >> (64 - (<u64>size << 3)));
  return top + WORD_BYTES;
}

/**
 * PUSH9 to PUSH32: `size` bytes at `data`. Returns the new top. Reads the 32 bytes that end with them and masks the
 * first ones; 32 bytes of padding precede the first instruction.
 */
@inline
export function pushBytes(top: usize, data: usize, size: usize): usize {
  reverseBytes(top, data + size - WORD_BYTES);
  const mask = MASKS + WORD_BYTES - size;
  v128.store(top, v128.and(v128.load(top), v128.load(mask)));
  v128.store(top, v128.and(v128.load(top, 16), v128.load(mask, 16)), 16);
  return top + WORD_BYTES;
}

/** SWAP1 to SWAP16: exchanges the topmost item with the one `depth` items below it. */
@inline
export function exchange(top: usize, depth: usize): void {
  const first = top - WORD_BYTES;
  const other = first - depth * WORD_BYTES;
  const limb0 = load<u64>(first);
  const limb1 = load<u64>(first, 8);
  const limb2 = load<u64>(first, 16);
  const limb3 = load<u64>(first, 24);
  copyWord(first, other);
  storeLimbs(other, limb0, limb1, limb2, limb3);
}

/** Rotates three words: the second moves to `first`, the third to `second`, and the first to `third`. */
@inline
export function rotate(first: usize, second: usize, third: usize): void {
  const limb0 = load<u64>(first);
  const limb1 = load<u64>(first, 8);
  const limb2 = load<u64>(first, 16);
  const limb3 = load<u64>(first, 24);
  copyWord(first, second);
  copyWord(second, third);
  storeLimbs(third, limb0, limb1, limb2, limb3);
}
