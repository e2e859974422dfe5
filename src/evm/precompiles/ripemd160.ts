import { ripemd160 as digest } from '../../protocol/index.ts';
import { gasByWords, type Precompile } from './precompile.ts';

const BASE_GAS = 600n;
const WORD_GAS = 120n;
/** The 20 bytes of the digest end a word. */
const OUTPUT_BYTES = 32;
const DIGEST_OFFSET = 12;

/** Contract 3: RIPEMD-160 of the input, with 12 zero bytes in front. Source: yellow paper, appendix E.1. */
export const ripemd160: Precompile = {
  name: 'RIPEMD160',
  gas: (input) => gasByWords(BASE_GAS, WORD_GAS, input),
  run(input) {
    const output = new Uint8Array(OUTPUT_BYTES);
    output.set(digest(input), DIGEST_OFFSET);
    return output;
  },
};
