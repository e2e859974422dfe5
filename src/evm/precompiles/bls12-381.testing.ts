/** Points of BLS12-381 in the form of EIP-2537, from another library. */
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { concatBytes } from '../../protocol/index.ts';
import { word } from './precompiles.testing.ts';

export const G1 = bls12_381.G1.Point;
export const G2 = bls12_381.G2.Point;
export type G1Point = typeof G1.BASE;
export type G2Point = typeof G2.BASE;

export const FIELD = bls12_381.fields.Fp.ORDER;
export const ORDER = bls12_381.fields.Fr.ORDER;

export const INFINITY_1 = new Uint8Array(128);
export const INFINITY_2 = new Uint8Array(256);

/** A coordinate: 64 bytes. */
export function coordinate(number: bigint): Uint8Array {
  return word(number, 64);
}

/** A point of the first group: 128 bytes. */
export function encode1(point: G1Point): Uint8Array {
  if (point.is0()) return INFINITY_1;
  const { x, y } = point.toAffine();
  return concatBytes(coordinate(x), coordinate(y));
}

/** A point of the second group: 256 bytes. */
export function encode2(point: G2Point): Uint8Array {
  if (point.is0()) return INFINITY_2;
  const { x, y } = point.toAffine();
  return concatBytes(...[x.c0, x.c1, y.c0, y.c1].map(coordinate));
}

/** A multiple of the first group's generator. */
export function multiply1(factor: bigint): G1Point {
  return G1.BASE.multiplyUnsafe(factor % ORDER);
}

/** A multiple of the second group's generator. */
export function multiply2(factor: bigint): G2Point {
  return G2.BASE.multiplyUnsafe(factor % ORDER);
}

/** Points of the curve that are not in the subgroup, beginning the search at an x. */
export function strayPoint1(start: bigint): G1Point {
  const { Fp } = bls12_381.fields;
  for (let x = start; ; x += 1n) {
    const y = rootOf(() => Fp.sqrt(Fp.create(x ** 3n + 4n)));
    const point = y === undefined ? G1.ZERO : G1.fromAffine({ x, y });
    if (!point.is0() && !point.isTorsionFree()) return point;
  }
}

/** Points of the second group's curve that are not in the subgroup; the search begins at a real part of x. */
export function strayPoint2(start: bigint): G2Point {
  const { Fp2 } = bls12_381.fields;
  const constant = Fp2.fromBigTuple([4n, 4n]);
  for (let real = start; ; real += 1n) {
    const x = Fp2.fromBigTuple([real, 1n]);
    const y = rootOf(() => Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(x), x), constant)));
    const point = y === undefined ? G2.ZERO : G2.fromAffine({ x, y });
    if (!point.is0() && !point.isTorsionFree()) return point;
  }
}

/** Returns the root, or undefined for a number that is no square. */
function rootOf<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}
