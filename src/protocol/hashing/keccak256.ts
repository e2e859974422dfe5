import { HASH_BYTES, hashingModule, SCRATCH_OFFSET, scratchMemory } from '../hashing-module.ts';
import { type Hash, toHash } from '../values.ts';

/**
 * Computes Keccak-256: Ethereum's hash, which pads otherwise than the standardized SHA3-256.
 *
 * @throws {InvariantError} when the input is longer than `HASH_INPUT_BYTES_MAX`
 */
export function keccak256(bytes: Uint8Array): Hash {
  const memory = scratchMemory(HASH_BYTES + bytes.length);
  const input = SCRATCH_OFFSET + HASH_BYTES;
  memory.set(bytes, input);
  hashingModule.keccak256(input, bytes.length, SCRATCH_OFFSET);
  return toHash(memory.slice(SCRATCH_OFFSET, input));
}
