/**
 * The Wasm module of the precompiled contracts, compiled at import. Its functions take offsets in its memory. The
 * memory never grows, since inputs are short or passed in pieces.
 */
import { readFileSync } from 'node:fs';

/** The functions of `assembly/precompiles.ts`. */
interface PrecompilesModule {
  readonly memory: WebAssembly.Memory;
  freeMemoryOffset(): number;
  beginBlake2f(input: number): void;
  continueBlake2f(input: number, rounds: number): void;
  endBlake2f(input: number, output: number): void;
  beginPower(base: bigint, modulus: bigint): void;
  continuePower(bytes: number, length: number): void;
  endPower(): bigint;
  sha256(input: number, length: number, output: number): void;
}

const file = readFileSync(new URL('../../build/precompiles.wasm', import.meta.url));

export const precompilesModule = new WebAssembly.Instance(new WebAssembly.Module(file))
  .exports as unknown as PrecompilesModule;

export const precompilesMemory = new Uint8Array(precompilesModule.memory.buffer);

/** Offset of the memory for callers. */
export const SCRATCH_OFFSET = precompilesModule.freeMemoryOffset();
