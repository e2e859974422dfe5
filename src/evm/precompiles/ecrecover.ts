import { isXOnlyPoint, type RecoveryIdType, recover } from 'tiny-secp256k1';
import { compareBytes, hexToBytes, keccak256 } from '../../protocol/index.ts';
import { type Precompile, paddedInput } from './precompile.ts';

const GAS = 3_000n;
const INPUT_BYTES = 128;
const OUTPUT_BYTES = 32;
const ADDRESS_OFFSET = 12;

/** Where the word v, and the numbers r and s, begin; the last byte of v holds its value. */
const V_OFFSET = 32;
const V_VALUE_OFFSET = 63;
const R_OFFSET = 64;
const S_OFFSET = 96;

/** The order of secp256k1's group: r and s lie below it. Source: SEC 2, section 2.4.1. */
const GROUP_ORDER = hexToBytes('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141');

/**
 * Contract 1: the address whose key signed a hash, in a word; no bytes for a signature that nobody can have
 * made. The input is hash, v (27 or 28), r, s, each a word. Unlike a transaction's, its s may be in the upper
 * half of the range. Source: yellow paper, appendices E.1 and F.
 */
export const ecrecover: Precompile = {
  name: 'ecrecover',
  gas: () => GAS,
  run(input) {
    const words = paddedInput(input, INPUT_BYTES);
    const recoveryId = readRecoveryId(words);
    const r = words.subarray(R_OFFSET, S_OFFSET);
    const s = words.subarray(S_OFFSET, INPUT_BYTES);
    // The library throws for a signature that these conditions refuse.
    if (recoveryId === undefined || !isScalar(r) || !isScalar(s) || !isXOnlyPoint(r)) return new Uint8Array();
    const publicKey = recover(words.subarray(0, V_OFFSET), words.subarray(R_OFFSET), recoveryId);
    if (publicKey === null) return new Uint8Array();
    const output = new Uint8Array(OUTPUT_BYTES);
    // The first byte of an uncompressed key says that it is one.
    output.set(keccak256(publicKey.subarray(1)).subarray(ADDRESS_OFFSET), ADDRESS_OFFSET);
    return output;
  },
};

/** Which of the two points with coordinate r is meant: 0 for v = 27, 1 for v = 28. */
function readRecoveryId(words: Uint8Array): RecoveryIdType | undefined {
  for (const byte of words.subarray(V_OFFSET, V_VALUE_OFFSET)) {
    if (byte !== 0) return undefined;
  }
  switch (words[V_VALUE_OFFSET]) {
    case 27:
      return 0;
    case 28:
      return 1;
    default:
      return undefined;
  }
}

/** Whether the word is a number from 1 to the group's order less one. */
function isScalar(word: Uint8Array): boolean {
  return word.some((byte) => byte !== 0) && compareBytes(word, GROUP_ORDER) < 0;
}
