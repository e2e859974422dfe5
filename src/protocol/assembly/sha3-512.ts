/**
 * SHA3-512 (FIPS 202, section 6.1) of bytes in chunks: `beginDigest`, `absorb` any number of times, `finishDigest`.
 * Only one digest is computed at a time.
 */
import { addToState, clearState, permute, STATE } from './keccak-permutation';

/** Bytes that one permutation absorbs: 1,600 bits less twice the digest's 512. */
const RATE: usize = 72;
export const DIGEST_BYTES: usize = 64;

/** Bytes absorbed since the last permutation; below the rate. */
let filled: usize = 0;

/** Begins a digest, and clears the state of the previous one. */
export function beginDigest(): void {
  clearState();
  filled = 0;
}

/** Adds `length` bytes at `input` to the digest. */
export function absorb(input: usize, length: usize): void {
  while (filled + length >= RATE) {
    const part = RATE - filled;
    addToState(filled, input, part);
    permute();
    filled = 0;
    input += part;
    length -= part;
  }
  addToState(filled, input, length);
  filled += length;
}

/** Writes the 64 bytes of the digest at `output`. */
export function finishDigest(output: usize): void {
  store<u8>(STATE + filled, load<u8>(STATE + filled) ^ 0x06);
  store<u8>(STATE + RATE - 1, load<u8>(STATE + RATE - 1) ^ 0x80);
  permute();
  memory.copy(output, STATE, DIGEST_BYTES);
}
