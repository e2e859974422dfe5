/** Keccak-256 as Ethereum uses it: FIPS 202's permutation with the padding of the original submission (0x01). */
import { addToState, clearState, permute, STATE } from './keccak-permutation';

/** Bytes that one permutation absorbs: 1,600 bits less twice the digest's 256. */
const RATE: usize = 136;

/**
 * Hashes `length` bytes at `input` and writes the 32 bytes of the digest, in their normal order, at `output`. Output
 * and input may overlap.
 */
export function keccak256(input: usize, length: usize, output: usize): void {
  clearState();
  while (length >= RATE) {
    addToState(0, input, RATE);
    permute();
    input += RATE;
    length -= RATE;
  }
  addToState(0, input, length);
  store<u8>(STATE + length, load<u8>(STATE + length) ^ 0x01);
  store<u8>(STATE + RATE - 1, load<u8>(STATE + RATE - 1) ^ 0x80);
  permute();
  store<u64>(output, load<u64>(STATE));
  store<u64>(output, load<u64>(STATE, 8), 8);
  store<u64>(output, load<u64>(STATE, 16), 16);
  store<u64>(output, load<u64>(STATE, 24), 24);
}
