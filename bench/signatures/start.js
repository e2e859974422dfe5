/** A process that has done nothing yet: prints how long the signatures take to be ready, in milliseconds. */

import { readFileSync } from 'node:fs';

const file = readFileSync(new URL('../../build/signatures.wasm', import.meta.url));
const started = performance.now();
const compiled = new WebAssembly.Instance(new WebAssembly.Module(file));
const loading = performance.now() - started;
if (typeof compiled.exports.exchangeOffset !== 'function') throw new Error('no module of signatures');

const { createKeyPair, toSeed } = await import('../../dist/protocol/index.js');
const seed = toSeed(new Uint8Array(32).fill(1));
const first = performance.now();
createKeyPair(seed);
process.stdout.write(JSON.stringify({ loading, firstKey: performance.now() - first }));
