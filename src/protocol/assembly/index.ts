/** The hashes of the native data: `build/hashes.wasm`. The functions take offsets into its memory. */
export { blake3 } from './blake3';
export { keccak256 } from './keccak256';
export { latticeAdd, latticeRemove } from './lattice';

/** Returns the end of the memory of these functions, where the memory of the caller begins. */
export function freeMemoryOffset(): usize {
  return (__heap_base + 15) & ~15;
}
