import { precompilesMemory, precompilesModule, SCRATCH_OFFSET } from '../precompiles-module.ts';
import type { Precompile } from './precompile.ts';

const INPUT_BYTES = 213;
const OUTPUT_BYTES = 64;
/** Rounds per piece: a multiple of ten, the length of the schedule. */
const PIECE_ROUNDS = 10_000;
/** Offset of the flag of the last block, 0 or 1. */
const FINAL_OFFSET = 212;

const OUTPUT_OFFSET = SCRATCH_OFFSET;
const INPUT_OFFSET = OUTPUT_OFFSET + OUTPUT_BYTES;

/**
 * Contract 9: the compression function F of BLAKE2b. The input is exactly 213 bytes: rounds, state, message,
 * offset counters, final block flag; the output is the new state. One gas per round. Source: EIP-152.
 */
export const blake2f: Precompile = {
  name: 'BLAKE2F',
  gas: (input) => (input.length === INPUT_BYTES ? readRounds(input) : 0n),
  run(input, checkTime) {
    const final = input[FINAL_OFFSET];
    if (input.length !== INPUT_BYTES || (final !== 0 && final !== 1)) return undefined;
    precompilesMemory.set(input, INPUT_OFFSET);
    precompilesModule.beginBlake2f(INPUT_OFFSET);
    for (let rounds = Number(readRounds(input)); rounds > 0; rounds -= PIECE_ROUNDS) {
      checkTime?.();
      precompilesModule.continueBlake2f(INPUT_OFFSET, Math.min(rounds, PIECE_ROUNDS));
    }
    precompilesModule.endBlake2f(INPUT_OFFSET, OUTPUT_OFFSET);
    return precompilesMemory.slice(OUTPUT_OFFSET, OUTPUT_OFFSET + OUTPUT_BYTES);
  },
};

function readRounds(input: Uint8Array): bigint {
  return BigInt(new DataView(input.buffer, input.byteOffset).getUint32(0));
}
