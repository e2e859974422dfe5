import { lazily } from '../../caching/lazily.ts';
import { BN_SNARK1, hexToBytes } from '../../protocol/index.ts';
import { PairingCurve, SCALAR_BYTES } from './pairing-curve.ts';
import { type Precompile, paddedInput } from './precompile.ts';

/** Gas (EIP-1108). */
const ADD_GAS = 150n;
const MUL_GAS = 6_000n;
const PAIRING_GAS = 45_000n;
const PAIR_GAS = 34_000n;

/** Bytes of a point of G1 and of G2. */
const G1_BYTES = 64;
const G2_BYTES = 128;
const PAIR_BYTES = G1_BYTES + G2_BYTES;

/** The curve alt_bn128 (bn254). Encoding: EIP-197. */
const bn254 = lazily(
  () =>
    new PairingCurve({
      curve: BN_SNARK1,
      modulus: hexToBytes('30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47'),
      isImaginaryFirst: true,
    }),
);

/** Contract 6: the sum of two points of G1, which is the whole curve. Source: EIP-196. */
export const bn254Add: Precompile = {
  name: 'BN254_ADD',
  gas: () => ADD_GAS,
  run(input) {
    const { g1 } = bn254();
    const points = paddedInput(input, 2 * G1_BYTES);
    if (!g1.read(points, 0, g1.pointer(0)) || !g1.read(points, G1_BYTES, g1.pointer(1))) return undefined;
    g1.functions.add(g1.result, g1.pointer(0), g1.pointer(1));
    return g1.write(g1.result);
  },
};

/** Contract 7: a point of G1 multiplied by any number below 2^256. Source: EIP-196. */
export const bn254Mul: Precompile = {
  name: 'BN254_MUL',
  gas: () => MUL_GAS,
  run(input) {
    const curve = bn254();
    const { g1, scalars } = curve;
    const words = paddedInput(input, G1_BYTES + SCALAR_BYTES);
    if (!g1.read(words, 0, g1.pointer(0))) return undefined;
    curve.readScalar(words, G1_BYTES, scalars);
    curve.library.functions.mclBnG1_mul(g1.result, g1.pointer(0), scalars);
    return g1.write(g1.result);
  },
};

/** Contract 8: 1 if the product of the pairings of zero or more points of G1 and G2 is one, else 0. Source: EIP-197. */
export const bn254Pairing: Precompile = {
  name: 'BN254_PAIRING',
  gas: (input) => PAIRING_GAS + PAIR_GAS * BigInt(Math.floor(input.length / PAIR_BYTES)),
  run(input, checkTime) {
    if (input.length % PAIR_BYTES !== 0) return undefined;
    return bn254().checkPairing(input, checkTime);
  },
};
