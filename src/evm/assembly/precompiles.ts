/** The precompiled contracts that are Wasm of ours: `build/precompiles.wasm`. */
export { beginBlake2f, continueBlake2f, endBlake2f } from './blake2f';
export { beginPower, continuePower, endPower } from './modular-power';
export { sha256 } from './sha256';

/** Where the memory of the functions ends, and that of the caller begins. */
export function freeMemoryOffset(): usize {
  return (__heap_base + 15) & ~15;
}
