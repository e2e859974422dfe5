/** The precompiled contracts in AssemblyScript: `build/precompiles.wasm`. */
export { beginBlake2f, continueBlake2f, endBlake2f } from './blake2f';
export { beginPower, continuePower, endPower } from './modular-power';
export { sha256 } from './sha256';

/** Returns the end of the functions' memory: the caller may use the memory after it. */
export function freeMemoryOffset(): usize {
  return (__heap_base + 15) & ~15;
}
