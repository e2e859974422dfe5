import { sha256 } from '../hashing/digests.ts';
import type { BlockId, Hash } from '../values.ts';

const ID_BYTES = 20;

/**
 * Computes the hash of a registration's work: SHA-256 of the block id, the task's random number and the nonce, both as
 * eight bytes, little endian (their low 64 bits).
 */
export function proofOfWorkHash(blockId: BlockId, randNum: bigint, nonce: bigint): Hash {
  const bytes = new Uint8Array(ID_BYTES + 16);
  bytes.set(blockId);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(ID_BYTES, randNum, true);
  view.setBigUint64(ID_BYTES + 8, nonce, true);
  return sha256(bytes);
}

/** Counts the leading zero bits of a hash: 0 to 256. */
export function leadingZeroBits(hash: Uint8Array): number {
  let bits = 0;
  for (const byte of hash) {
    if (byte !== 0) return bits + Math.clz32(byte) - 24;
    bits += 8;
  }
  return bits;
}

/** Returns true if a nonce solves a task of so many zero bits. */
export function solves(blockId: BlockId, randNum: bigint, nonce: bigint, difficulty: number): boolean {
  return leadingZeroBits(proofOfWorkHash(blockId, randNum, nonce)) >= difficulty;
}
