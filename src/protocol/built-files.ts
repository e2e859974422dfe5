/**
 * The Wasm modules and native binaries of the protocol, which the set-up builds or copies. This file has the same depth
 * as the built program, so that the relative URLs are valid in both.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Loads the module of hash functions. */
export function loadHashesModule(): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(new URL('../../build/hashes.wasm', import.meta.url)));
}

/** Loads the module of Ed25519. */
export function loadSignaturesModule(): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(new URL('../../build/signatures.wasm', import.meta.url)));
}

let mcl: WebAssembly.Module | undefined;

/** Loads the module of the library mcl (BSD-3-Clause), which the set-up copies from the package `mcl-wasm`, once. */
export function loadMclModule(): WebAssembly.Module {
  mcl ??= new WebAssembly.Module(readFileSync(new URL('../../build/mcl.wasm', import.meta.url)));
  return mcl;
}

/** Returns the path of a binary of libsecp256k1 (MIT), which the set-up copies from the package `secp256k1`. */
export function secp256k1Binary(path: string): string {
  return fileURLToPath(new URL(`../../build/secp256k1/${path}`, import.meta.url));
}
