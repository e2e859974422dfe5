import { HASH_BYTES, hashingModule, SCRATCH_OFFSET, scratchMemory } from '../hashing-module.ts';
import { type Address, type Hash, toAddress, toHash } from '../values.ts';

/** Offset of an address in the hash that it is part of. */
const ADDRESS_OFFSET = 12;

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

/** Computes the address that bytes, such as a public key, hash to: the last 20 bytes of Keccak-256. */
export function hashedAddress(bytes: Uint8Array): Address {
  return toAddress(keccak256(bytes).slice(ADDRESS_OFFSET));
}
