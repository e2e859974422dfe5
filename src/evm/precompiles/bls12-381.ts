/** The contracts of EIP-2537, on the curve BLS12-381. */
import { lazily } from '../../lazily.ts';
import { BLS12_381, hexToBytes } from '../../protocol/index.ts';
import { G1_DISCOUNTS, G2_DISCOUNTS, multiplicationGas } from './bls12-381-gas.ts';
import { BATCH, type CurveGroup } from './curve-group.ts';
import { PairingCurve, SCALAR_BYTES } from './pairing-curve.ts';
import { booleanWord, type Precompile } from './precompile.ts';

const G1_ADD_GAS = 375n;
const G1_MULTIPLICATION_GAS = 12_000n;
const G2_ADD_GAS = 600n;
const G2_MULTIPLICATION_GAS = 22_500n;
const PAIRING_GAS = 37_700n;
const PAIR_GAS = 32_600n;
const MAP_TO_G1_GAS = 5_500n;
const MAP_TO_G2_GAS = 23_800n;

/** Bytes of a field element, 16 of them zeros in front, and of points. */
const FIELD_BYTES = 64;
const G1_BYTES = 2 * FIELD_BYTES;
const G2_BYTES = 4 * FIELD_BYTES;
const PAIR_BYTES = G1_BYTES + G2_BYTES;

/** The curve. Source of the form: EIP-2537, "Field elements encoding" and after. */
export const bls12381 = lazily(
  () =>
    new PairingCurve({
      curve: BLS12_381,
      modulus: hexToBytes(
        `${'00'.repeat(16)}1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f624` +
          '1eabfffeb153ffffb9feffffffffaaab',
      ),
      isImaginaryFirst: false,
    }),
);

/** Contract 0x0b: the sum of two points of the curve, in the subgroup or not. */
export const bls12G1Add = addition('BLS12_G1ADD', G1_ADD_GAS, G1_BYTES, (curve) => curve.g1);

/** Contract 0x0c: the sum of points of the group G1, each times a number below 2^256. */
export const bls12G1Msm = sumOfProducts(
  'BLS12_G1MSM',
  G1_BYTES,
  (curve) => curve.g1,
  (count) => multiplicationGas(count, G1_MULTIPLICATION_GAS, G1_DISCOUNTS),
);

/** Contract 0x0d: the sum of two points of the twisted curve, in the subgroup or not. */
export const bls12G2Add = addition('BLS12_G2ADD', G2_ADD_GAS, G2_BYTES, (curve) => curve.g2);

/** Contract 0x0e: the sum of points of the group G2, each times a number below 2^256. */
export const bls12G2Msm = sumOfProducts(
  'BLS12_G2MSM',
  G2_BYTES,
  (curve) => curve.g2,
  (count) => multiplicationGas(count, G2_MULTIPLICATION_GAS, G2_DISCOUNTS),
);

/** Contract 0x0f: whether the product of the pairings of points of G1 and G2 is one. */
export const bls12PairingCheck: Precompile = {
  name: 'BLS12_PAIRING_CHECK',
  gas: (input) => PAIRING_GAS + PAIR_GAS * BigInt(Math.floor(input.length / PAIR_BYTES)),
  run(input, checkTime) {
    if (input.length === 0 || input.length % PAIR_BYTES !== 0) return undefined;
    const isOne = bls12381().isPairingOne(input, checkTime);
    return isOne === undefined ? undefined : booleanWord(isOne);
  },
};

/** Contract 0x10: the point of G1 that an element of the field is mapped to, its cofactor cleared. */
export const bls12MapFpToG1: Precompile = {
  name: 'BLS12_MAP_FP_TO_G1',
  gas: () => MAP_TO_G1_GAS,
  run(input) {
    const curve = bls12381();
    const { g1 } = curve;
    if (input.length !== FIELD_BYTES || !curve.readField(input, 0, g1.pointer(0))) return undefined;
    curve.library.functions.mclBnFp_mapToG1(g1.result, g1.pointer(0));
    return g1.write(g1.result);
  },
};

/** Contract 0x11: the point of G2 that an element of the quadratic extension is mapped to. */
export const bls12MapFp2ToG2: Precompile = {
  name: 'BLS12_MAP_FP2_TO_G2',
  gas: () => MAP_TO_G2_GAS,
  run(input) {
    const curve = bls12381();
    const { g2 } = curve;
    if (input.length !== 2 * FIELD_BYTES || !curve.readPair(input, 0, g2.pointer(0))) return undefined;
    curve.library.functions.mclBnFp2_mapToG2(g2.result, g2.pointer(0));
    return g2.write(g2.result);
  },
};

type GroupOf = (curve: PairingCurve) => CurveGroup;

function addition(name: string, gas: bigint, pointBytes: number, groupOf: GroupOf): Precompile {
  return {
    name,
    gas: () => gas,
    run(input) {
      if (input.length !== 2 * pointBytes) return undefined;
      const group = groupOf(bls12381());
      if (!group.read(input, 0, group.pointer(0))) return undefined;
      if (!group.read(input, pointBytes, group.pointer(1))) return undefined;
      group.add(group.result, group.pointer(0), group.pointer(1));
      return group.write(group.result);
    },
  };
}

function sumOfProducts(
  name: string,
  pointBytes: number,
  groupOf: GroupOf,
  gasOf: (count: number) => bigint,
): Precompile {
  const termBytes = pointBytes + SCALAR_BYTES;
  return {
    name,
    gas: (input) => gasOf(Math.floor(input.length / termBytes)),
    run(input, checkTime) {
      if (input.length === 0 || input.length % termBytes !== 0) return undefined;
      const curve = bls12381();
      const group = groupOf(curve);
      group.clear(group.sum);
      for (let offset = 0; offset < input.length; offset += BATCH * termBytes) {
        checkTime?.();
        const terms = input.subarray(offset, offset + BATCH * termBytes);
        if (!addProducts(curve, group, terms)) return undefined;
      }
      return group.write(group.sum);
    },
  };
}

/** Adds the products of a batch to the group's sum; false where a point is refused. */
function addProducts(curve: PairingCurve, group: CurveGroup, terms: Uint8Array): boolean {
  const termBytes = group.pointBytes + SCALAR_BYTES;
  const count = terms.length / termBytes;
  for (let index = 0; index < count; index++) {
    const offset = index * termBytes;
    if (!group.readOfSubgroup(terms, offset, group.pointer(index))) return false;
    curve.readScalar(terms, offset + group.pointBytes, curve.scalar(index));
  }
  group.multiplyAndAdd(group.result, curve.scalars, count);
  group.add(group.sum, group.sum, group.result);
  return true;
}
