/** The contracts of EIP-2537, on the curve BLS12-381. */
import { lazily } from '../../caching/lazily.ts';
import { BLS12_381, hexToBytes } from '../../protocol/index.ts';
import { BATCH, type CurveGroup } from './curve-group.ts';
import { PairingCurve, SCALAR_BYTES } from './pairing-curve.ts';
import type { Precompile } from './precompile.ts';

const G1_ADD_GAS = 375n;
const G1_MULTIPLICATION_GAS = 12_000n;
const G2_ADD_GAS = 600n;
const G2_MULTIPLICATION_GAS = 22_500n;
const PAIRING_GAS = 37_700n;
const PAIR_GAS = 32_600n;
const MAP_TO_G1_GAS = 5_500n;
const MAP_TO_G2_GAS = 23_800n;

/** Discounts are in thousandths. Source: EIP-2537, "Gas schedule". */
const DISCOUNT_UNIT = 1_000n;

/** Discounts of G1 for 1 term, 2 terms and so on; the last one also for more terms. */
// biome-ignore format: a table
const G1_DISCOUNTS: readonly number[] = [
  1_000, 949, 848, 797, 764, 750, 738, 728, 719, 712, 705, 698, 692, 687, 682, 677,
  673, 669, 665, 661, 658, 654, 651, 648, 645, 642, 640, 637, 635, 632, 630, 627,
  625, 623, 621, 619, 617, 615, 613, 611, 609, 608, 606, 604, 603, 601, 599, 598,
  596, 595, 593, 592, 591, 589, 588, 586, 585, 584, 582, 581, 580, 579, 577, 576,
  575, 574, 573, 572, 570, 569, 568, 567, 566, 565, 564, 563, 562, 561, 560, 559,
  558, 557, 556, 555, 554, 553, 552, 551, 550, 549, 548, 547, 547, 546, 545, 544,
  543, 542, 541, 540, 540, 539, 538, 537, 536, 536, 535, 534, 533, 532, 532, 531,
  530, 529, 528, 528, 527, 526, 525, 525, 524, 523, 522, 522, 521, 520, 520, 519,
];

/** Discounts of G2. */
// biome-ignore format: a table
const G2_DISCOUNTS: readonly number[] = [
  1_000, 1_000, 923, 884, 855, 832, 812, 796, 782, 770, 759, 749, 740, 732, 724, 717,
  711, 704, 699, 693, 688, 683, 679, 674, 670, 666, 663, 659, 655, 652, 649, 646,
  643, 640, 637, 634, 632, 629, 627, 624, 622, 620, 618, 615, 613, 611, 609, 607,
  606, 604, 602, 600, 598, 597, 595, 593, 592, 590, 589, 587, 586, 584, 583, 582,
  580, 579, 578, 576, 575, 574, 573, 571, 570, 569, 568, 567, 566, 565, 563, 562,
  561, 560, 559, 558, 557, 556, 555, 554, 553, 552, 552, 551, 550, 549, 548, 547,
  546, 545, 545, 544, 543, 542, 541, 541, 540, 539, 538, 537, 537, 536, 535, 535,
  534, 533, 532, 532, 531, 530, 530, 529, 528, 528, 527, 526, 526, 525, 524, 524,
];

/** Bytes of a field element, with 16 leading zeros, and of points. */
const FIELD_BYTES = 64;
const G1_BYTES = 2 * FIELD_BYTES;
const G2_BYTES = 4 * FIELD_BYTES;
const PAIR_BYTES = G1_BYTES + G2_BYTES;

/** The curve. Encoding: EIP-2537, "Field elements encoding" and the sections after it. */
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

/** Contract 0x0b: the sum of two points of the curve; they need not be in the subgroup. */
export const bls12G1Add = addition('BLS12_G1ADD', G1_ADD_GAS, G1_BYTES, (curve) => curve.g1);

/** Contract 0x0c: the sum of points of G1, each multiplied by a number below 2^256. */
export const bls12G1Msm = sumOfProducts(
  'BLS12_G1MSM',
  G1_BYTES,
  (curve) => curve.g1,
  G1_MULTIPLICATION_GAS,
  G1_DISCOUNTS,
);

/** Contract 0x0d: the sum of two points of the twisted curve; they need not be in the subgroup. */
export const bls12G2Add = addition('BLS12_G2ADD', G2_ADD_GAS, G2_BYTES, (curve) => curve.g2);

/** Contract 0x0e: the sum of points of G2, each multiplied by a number below 2^256. */
export const bls12G2Msm = sumOfProducts(
  'BLS12_G2MSM',
  G2_BYTES,
  (curve) => curve.g2,
  G2_MULTIPLICATION_GAS,
  G2_DISCOUNTS,
);

/** Contract 0x0f: 1 if the product of the pairings of points of G1 and G2 is one, else 0. */
export const bls12PairingCheck: Precompile = {
  name: 'BLS12_PAIRING_CHECK',
  gas: (input) => PAIRING_GAS + PAIR_GAS * BigInt(Math.floor(input.length / PAIR_BYTES)),
  run(input, checkTime) {
    if (input.length === 0 || input.length % PAIR_BYTES !== 0) return undefined;
    return bls12381().checkPairing(input, checkTime);
  },
};

/** Contract 0x10: maps an element of the field to a point of G1, and clears the cofactor. */
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

/** Contract 0x11: maps an element of the quadratic extension to a point of G2. */
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
      group.functions.add(group.result, group.pointer(0), group.pointer(1));
      return group.write(group.result);
    },
  };
}

function sumOfProducts(
  name: string,
  pointBytes: number,
  groupOf: GroupOf,
  productGas: bigint,
  discounts: readonly number[],
): Precompile {
  const termBytes = pointBytes + SCALAR_BYTES;
  return {
    name,
    gas(input) {
      const count = Math.floor(input.length / termBytes);
      const discount = discounts[Math.min(count, discounts.length) - 1] ?? 0;
      return (BigInt(count) * productGas * BigInt(discount)) / DISCOUNT_UNIT;
    },
    run(input, checkTime) {
      if (input.length === 0 || input.length % termBytes !== 0) return undefined;
      const curve = bls12381();
      const group = groupOf(curve);
      group.functions.clear(group.sum);
      for (let offset = 0; offset < input.length; offset += BATCH * termBytes) {
        checkTime?.();
        const terms = input.subarray(offset, offset + BATCH * termBytes);
        if (!addProducts(curve, group, terms)) return undefined;
      }
      return group.write(group.sum);
    },
  };
}

/** Adds the products of a batch to the group's sum. Returns false for an invalid point. */
function addProducts(curve: PairingCurve, group: CurveGroup, terms: Uint8Array): boolean {
  const termBytes = group.pointBytes + SCALAR_BYTES;
  const count = terms.length / termBytes;
  for (let index = 0; index < count; index++) {
    const offset = index * termBytes;
    if (!group.readInSubgroup(terms, offset, group.pointer(index))) return false;
    curve.readScalar(terms, offset + group.pointBytes, curve.scalar(index));
  }
  group.functions.mulVec(group.result, group.points, curve.scalars, count);
  group.functions.add(group.sum, group.sum, group.result);
  return true;
}
