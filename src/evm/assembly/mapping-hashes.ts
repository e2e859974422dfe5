/**
 * A cache of the Keccak-256 hashes of 64 bytes. These are keys of mappings, which contracts hash at each access. An
 * entry has the 64 bytes and their hash as a word; it stays valid, so nothing empties the cache.
 */

import { keccak256 } from '../../protocol/assembly/keccak256';
import { hashWord } from './hashing';
import { HASH_BYTES, HASH_RESULT, HASHES, HASHES_CAPACITY, PREIMAGE_BYTES } from './layout';
import { copyWord, equals, isZero, reverseBytes, WORD_BYTES } from './word';

/** Hashes the 64 bytes at `input` to a word. */
export function hashMappingKey(input: usize, result: usize): void {
  const number = (hashWord(input) + 31 * hashWord(input + WORD_BYTES)) & (HASHES_CAPACITY - 1);
  const entry = HASHES + <usize>number * HASH_BYTES;
  const hash = entry + HASH_RESULT;
  // An unused entry has the hash 0, which no known preimage has.
  if (!equals(entry, input) || !equals(entry + WORD_BYTES, input + WORD_BYTES) || isZero(hash)) {
    copyWord(entry, input);
    copyWord(entry + WORD_BYTES, input + WORD_BYTES);
    keccak256(input, PREIMAGE_BYTES, hash);
    reverseBytes(hash, hash);
  }
  copyWord(result, hash);
}
