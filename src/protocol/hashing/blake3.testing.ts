import { HASH_BYTES, hashingModule, SCRATCH_OFFSET, scratchMemory } from './hashes.ts';

/**
 * BLAKE3 of `bytes` in its default mode, with `outputLength` bytes of its extendable output; the first 32 are
 * the plain hash.
 *
 * @throws {InvariantError} when input and output together are longer than `HASH_INPUT_BYTES_MAX`.
 */
export function blake3(bytes: Uint8Array, outputLength: number = HASH_BYTES): Uint8Array {
  const memory = scratchMemory(outputLength + bytes.length);
  const input = SCRATCH_OFFSET + outputLength;
  memory.set(bytes, input);
  hashingModule.blake3(input, bytes.length, SCRATCH_OFFSET, outputLength);
  return memory.slice(SCRATCH_OFFSET, input);
}
