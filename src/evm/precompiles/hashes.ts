/** The contracts 2 to 4, which charge by the word. Source: yellow paper, appendix E.1. */
import { ripemd160 as ripemd160Of, sha256 as sha256Of } from '../../protocol/index.ts';
import { precompilesMemory, precompilesModule, SCRATCH_OFFSET } from '../precompiles-module.ts';
import type { Precompile } from './precompile.ts';

const WORD_BYTES = 32;

/** Maximum bytes for which SHA-256 in Wasm is faster than OpenSSL: two blocks with padding. */
const SHORT_INPUT_BYTES = 119;
const DIGEST_BYTES = 32;
const INPUT_OFFSET = SCRATCH_OFFSET + DIGEST_BYTES;

/** Offset of the 20 bytes of a RIPEMD-160 digest in a word. */
const RIPEMD160_OFFSET = 12;

/** Contract 2: SHA-256 of the input. */
export const sha256: Precompile = {
  name: 'SHA256',
  gas: (input) => gasByWords(60n, 12n, input),
  run: (input) => (input.length <= SHORT_INPUT_BYTES ? shortSha256(input) : sha256Of(input)),
};

function shortSha256(input: Uint8Array): Uint8Array {
  precompilesMemory.set(input, INPUT_OFFSET);
  precompilesModule.sha256(INPUT_OFFSET, input.length, SCRATCH_OFFSET);
  return precompilesMemory.slice(SCRATCH_OFFSET, SCRATCH_OFFSET + DIGEST_BYTES);
}

/** Contract 3: RIPEMD-160 of the input, after 12 zero bytes. */
export const ripemd160: Precompile = {
  name: 'RIPEMD160',
  gas: (input) => gasByWords(600n, 120n, input),
  run(input) {
    const output = new Uint8Array(WORD_BYTES);
    output.set(ripemd160Of(input), RIPEMD160_OFFSET);
    return output;
  },
};

/** Contract 4 returns its input. */
export const identity: Precompile = {
  name: 'ID',
  gas: (input) => gasByWords(15n, 3n, input),
  run: (input) => Uint8Array.from(input),
};

/** Returns `base` plus `perWord` for each word of the input, rounded up. */
function gasByWords(base: bigint, perWord: bigint, input: Uint8Array): bigint {
  return base + perWord * BigInt(Math.ceil(input.length / WORD_BYTES));
}
