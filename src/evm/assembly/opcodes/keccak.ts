/** Hashing. */

import { charge, KECCAK_WORD, wordsOf } from '../gas';
import { expand, windowStart } from '../memory';
import { keccak256 } from '../../../protocol/assembly/keccak256';
import { reverseBytes, WORD_BYTES } from '../word';

/** KECCAK256: offset and length become the hash. Returns the gas that is left. */
export function keccak(top: usize, gas: i64): i64 {
  const offset = top - WORD_BYTES;
  const length = top - 2 * WORD_BYTES;
  const expanded = expand(offset, length, gas);
  if (expanded < 0) return expanded;
  const left = charge(expanded, <i64>(KECCAK_WORD * wordsOf(load<u64>(length))));
  if (left < 0) return left;
  keccak256(windowStart(offset, length), <usize>load<u32>(length), length);
  reverseBytes(length, length);
  return left;
}
