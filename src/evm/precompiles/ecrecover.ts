import { recoverAddress } from '../../protocol/index.ts';
import { type Precompile, paddedInput } from './precompile.ts';

const GAS = 3_000n;
const INPUT_BYTES = 128;
const OUTPUT_BYTES = 32;
const ADDRESS_OFFSET = 12;

/** Offsets of the word v, of its last byte with the value, and of the numbers r and s. */
const V_OFFSET = 32;
const V_VALUE_OFFSET = 63;
const R_OFFSET = 64;
const S_OFFSET = 96;

/** v for a point with an even y; v is one larger for an odd y. */
const V_EVEN = 27;

/**
 * Contract 1: the address of the signer of a hash, as a word; no bytes for an invalid signature. The input is hash, v
 * (27 or 28), r, s, each a word; s may be in the upper half of its range. Source: yellow paper, appendices E.1 and F.
 */
export const ecrecover: Precompile = {
  name: 'ECREC',
  gas: () => GAS,
  run(input) {
    const words = paddedInput(input, INPUT_BYTES);
    const yParity = readParity(words);
    if (yParity === undefined) return new Uint8Array();
    const hash = words.subarray(0, V_OFFSET);
    const r = words.subarray(R_OFFSET, S_OFFSET);
    const s = words.subarray(S_OFFSET, INPUT_BYTES);
    const address = recoverAddress(hash, r, s, yParity);
    if (address === undefined) return new Uint8Array();
    const output = new Uint8Array(OUTPUT_BYTES);
    output.set(address, ADDRESS_OFFSET);
    return output;
  },
};

function readParity(words: Uint8Array): 0 | 1 | undefined {
  for (const byte of words.subarray(V_OFFSET, V_VALUE_OFFSET)) {
    if (byte !== 0) return undefined;
  }
  const parity = (words[V_VALUE_OFFSET] ?? 0) - V_EVEN;
  return parity === 0 || parity === 1 ? parity : undefined;
}
