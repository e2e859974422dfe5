/**
 * LtHash16: a hash of a set of entries, updated in constant time. Each entry is expanded to 1,024 numbers of 16 bits,
 * and the hash of the set is their sum, lane by lane, modulo 2^16.
 *
 * Source: Bellare and Micciancio, "A New Paradigm for Collision-Free Hashing" (1997), with the parameters of Lewi et
 * al., "Securing Update Propagation with Homomorphic Hashing" (2019).
 */
import { blake3 } from './blake3';

/** Bytes of a state: 1,024 little-endian lanes of two bytes. */
export const LATTICE_BYTES: usize = 2048;

/** The lanes of the entry that is added or removed. */
const EXPANSION: usize = memory.data(2048, 16);

/** Adds the entry, `length` bytes at `entry`, to the state. */
export function latticeAdd(state: usize, entry: usize, length: usize): void {
  blake3(entry, length, EXPANSION, LATTICE_BYTES);
  for (let offset: usize = 0; offset < LATTICE_BYTES; offset += 16) {
    v128.store(state + offset, i16x8.add(v128.load(state + offset), v128.load(EXPANSION + offset)));
  }
}

/** Removes the entry, `length` bytes at `entry`, from the state: the inverse of `latticeAdd`. */
export function latticeRemove(state: usize, entry: usize, length: usize): void {
  blake3(entry, length, EXPANSION, LATTICE_BYTES);
  for (let offset: usize = 0; offset < LATTICE_BYTES; offset += 16) {
    v128.store(state + offset, i16x8.sub(v128.load(state + offset), v128.load(EXPANSION + offset)));
  }
}
