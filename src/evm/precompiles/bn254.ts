import { add, Fr, finalExp, type G1, type GT, millerLoop, mul } from 'mcl-wasm';
import { G1_BYTES, G2_BYTES, readG1, readG2, writeG1 } from './bn254-points.ts';
import { type Precompile, paddedInput } from './precompile.ts';

/** Prices of EIP-1108. */
const ADD_GAS = 150n;
const MUL_GAS = 6_000n;
const PAIRING_GAS = 45_000n;
const PAIR_GAS = 34_000n;

const SCALAR_BYTES = 32;
const PAIR_BYTES = G1_BYTES + G2_BYTES;
/** The pairing's answer: a word with 1 or 0 in its last byte. */
const ANSWER_BYTES = 32;

/** Contract 6: the sum of two points of the group G1. Source: EIP-196. */
export const bn254Add: Precompile = {
  name: 'bn254Add',
  gas: () => ADD_GAS,
  run(input) {
    const points = paddedInput(input, 2 * G1_BYTES);
    const first = readG1(points, 0);
    const second = readG1(points, G1_BYTES);
    return first === undefined || second === undefined ? undefined : writeG1(add(first, second));
  },
};

/** Contract 7: a point of the group G1 times any number below 2^256. Source: EIP-196. */
export const bn254Mul: Precompile = {
  name: 'bn254Mul',
  gas: () => MUL_GAS,
  run(input) {
    const words = paddedInput(input, G1_BYTES + SCALAR_BYTES);
    const point = readG1(words, 0);
    if (point === undefined) return undefined;
    // The group's order is prime, and multiples of a point repeat with it.
    const scalar = new Fr();
    scalar.setBigEndianMod(words.subarray(G1_BYTES));
    return writeG1(mul(point, scalar));
  },
};

/**
 * Contract 8: whether the product of the pairings of the given points of G1 and G2 is one. No points give the
 * empty product, which is. Source: EIP-197.
 */
export const bn254Pairing: Precompile = {
  name: 'bn254Pairing',
  gas: (input) => PAIRING_GAS + PAIR_GAS * BigInt(Math.floor(input.length / PAIR_BYTES)),
  run(input) {
    if (input.length % PAIR_BYTES !== 0) return undefined;
    let product: GT | undefined;
    for (let offset = 0; offset < input.length; offset += PAIR_BYTES) {
      const left: G1 | undefined = readG1(input, offset);
      const right = readG2(input, offset + G1_BYTES);
      if (left === undefined || right === undefined) return undefined;
      // A pairing with infinity is one.
      if (left.isZero() || right.isZero()) continue;
      const pairing = millerLoop(left, right);
      product = product === undefined ? pairing : mul(product, pairing);
    }
    const answer = new Uint8Array(ANSWER_BYTES);
    answer[ANSWER_BYTES - 1] = product === undefined || finalExp(product).isOne() ? 1 : 0;
    return answer;
  },
};
