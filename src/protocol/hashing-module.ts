/**
 * The Wasm module of the hashes, and its memory. Its functions take offsets into the memory; everything from
 * `SCRATCH_OFFSET` on belongs to the callers, who use it within one synchronous call and leave nothing there.
 *
 * The module is a few kilobytes and is compiled at import, so that hashing needs no initialisation.
 */
import { readFileSync } from 'node:fs';
import { HASH_INPUT_BYTES_MAX } from '../limits.ts';
import { invariant } from './errors.ts';

/** The functions of `assembly/index.ts`; all arguments are offsets and lengths in bytes. */
interface HashingModule {
  readonly memory: WebAssembly.Memory;
  freeMemoryOffset(): number;
  keccak256(input: number, length: number, output: number): void;
  blake3(input: number, length: number, output: number, outputLength: number): void;
  latticeAdd(state: number, entry: number, length: number): void;
  latticeRemove(state: number, entry: number, length: number): void;
}

/** Bytes of a digest of Keccak-256, and of BLAKE3 by default. */
export const HASH_BYTES = 32;

const WASM_PAGE_BYTES = 65_536;
/** Growing detaches every view, so it is done in large steps. */
const GROWTH_PAGES = 16;

const file = readFileSync(new URL('../../build/hashes.wasm', import.meta.url));

export const hashingModule = new WebAssembly.Instance(new WebAssembly.Module(file))
  .exports as unknown as HashingModule;

/** Start of the callers' memory. */
export const SCRATCH_OFFSET = hashingModule.freeMemoryOffset();

let memory = new Uint8Array(hashingModule.memory.buffer);

/**
 * Returns the module's memory, with at least `length` bytes from `SCRATCH_OFFSET` on. The next call may detach it.
 *
 * @throws {InvariantError} when `length` exceeds `HASH_INPUT_BYTES_MAX`
 */
export function scratchMemory(length: number): Uint8Array {
  const missing = SCRATCH_OFFSET + length - memory.length;
  if (missing > 0) {
    invariant(
      length <= HASH_INPUT_BYTES_MAX,
      `hashing ${length} bytes exceeds HASH_INPUT_BYTES_MAX (${HASH_INPUT_BYTES_MAX})`,
    );
    hashingModule.memory.grow(Math.max(Math.ceil(missing / WASM_PAGE_BYTES), GROWTH_PAGES));
    memory = new Uint8Array(hashingModule.memory.buffer);
  }
  return memory;
}
