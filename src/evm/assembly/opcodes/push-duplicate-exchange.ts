/** PUSH, DUP and SWAP. Bodies take and return the address after the topmost stack item. */

import { clearWord, copyWord, reverseBytes, setWord, storeLimbs, WORD_BYTES } from '../word';

/** 32 bytes of ones, then 32 of zeros. The word at byte 32 - n has ones in its n least significant bytes. */
const MASKS: usize = memory.data<u64>([
  0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0, 0, 0, 0,
]);

/** PUSH0 (EIP-3855) */
@inline
export function push0(top: usize): usize {
  clearWord(top);
  return top + WORD_BYTES;
}

@inline
export function push1(top: usize, data: usize): usize {
  setWord(top, load<u8>(data));
  return top + WORD_BYTES;
}

@inline
export function push2(top: usize, data: usize): usize {
  setWord(top, bswap<u16>(load<u16>(data)));
  return top + WORD_BYTES;
}

/** PUSH3 to PUSH8: `size` bytes at `data`. */
@inline
export function pushLimb(top: usize, data: usize, size: u32): usize {
  setWord(top, bswap<u64>(load<u64>(data)) >> (64 - (<u64>size << 3)));
  return top + WORD_BYTES;
}

/**
 * PUSH9 to PUSH32: `size` bytes at `data`. Reads the 32 bytes that end with them, so what comes before is cut
 * off; before the first instruction there are as many bytes of padding.
 */
@inline
export function pushBytes(top: usize, data: usize, size: usize): usize {
  reverseBytes(top, data + size - WORD_BYTES);
  const mask = MASKS + WORD_BYTES - size;
  v128.store(top, v128.and(v128.load(top), v128.load(mask)));
  v128.store(top, v128.and(v128.load(top, 16), v128.load(mask, 16)), 16);
  return top + WORD_BYTES;
}

/** DUP1 to DUP16: pushes a copy of the item `depth` items below the top, 1 being the topmost. */
@inline
export function duplicate(top: usize, depth: usize): usize {
  copyWord(top, top - depth * WORD_BYTES);
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
