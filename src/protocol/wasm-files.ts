/**
 * The Wasm modules of the protocol: the files of the set-up. This file lies as deep as those of the built program, so
 * that the addresses hold in both.
 */
import { readFileSync } from 'node:fs';

/** Loads the module of hash functions. */
export function loadHashesModule(): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(new URL('../../build/hashes.wasm', import.meta.url)));
}

/** Loads the module of Ed25519. */
export function loadSignaturesModule(): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(new URL('../../build/signatures.wasm', import.meta.url)));
}

let mcl: WebAssembly.Module | undefined;

/** Loads the module of the library mcl (BSD-3-Clause), which the set-up takes out of the package `mcl-wasm`, once. */
export function loadMclModule(): WebAssembly.Module {
  mcl ??= new WebAssembly.Module(readFileSync(new URL('../../build/mcl.wasm', import.meta.url)));
  return mcl;
}
