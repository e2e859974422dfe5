/** The Wasm module of the library mcl (BSD-3-Clause), which the set-up takes out of the package `mcl-wasm`. */
import { readFileSync } from 'node:fs';

let compiled: WebAssembly.Module | undefined;

/** The module, compiled when it is first wanted. */
export function loadMclModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(readFileSync(new URL('../../build/mcl.wasm', import.meta.url)));
  return compiled;
}
