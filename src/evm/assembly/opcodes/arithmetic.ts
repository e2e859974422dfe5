/** EXP and KECCAK256: their gas depends on the operands. Both return the gas left. */

import { charge, EXPONENT_BYTE, KECCAK_WORD, wordsOf } from '../gas';
import { PREIMAGE_BYTES } from '../layout';
import { hashMappingKey } from '../mapping-hashes';
import { expand, rangeStart } from '../memory';
import { keccak256 } from '../../../protocol/assembly/keccak256';
import { bytesOf, reverseBytes, WORD_BYTES } from '../word';
import { exponentiate } from '../word-exponentiation';

/** EXP: charges for the bytes of the exponent (EIP-160). */
export function exp(top: usize, gas: i64): i64 {
  const exponent = top - 2 * WORD_BYTES;
  const left = charge(gas, <i64>(EXPONENT_BYTE * bytesOf(exponent)));
  if (left >= 0) exponentiate(exponent, top - WORD_BYTES, exponent);
  return left;
}

/** KECCAK256: replaces offset and length by the hash. */
export function keccak(top: usize, gas: i64): i64 {
  const offset = top - WORD_BYTES;
  const length = top - 2 * WORD_BYTES;
  const expanded = expand(offset, length, gas);
  if (expanded < 0) return expanded;
  const left = charge(expanded, <i64>(KECCAK_WORD * wordsOf(load<u64>(length))));
  if (left < 0) return left;
  const input = rangeStart(offset, length);
  const bytes = <usize>load<u32>(length);
  if (bytes == PREIMAGE_BYTES) {
    hashMappingKey(input, length);
  } else {
    keccak256(input, bytes, length);
    reverseBytes(length, length);
  }
  return left;
}
