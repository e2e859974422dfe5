import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bn254 } from '@noble/curves/bn254.js';
import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { concatBytes, hexToBytes } from '../../protocol/index.ts';
import { type Hardfork, isSince } from '../index.ts';
import { type Random, randomBytes, randomNumber } from './random.testing.ts';

/** Random calls of the precompiled contracts, most of them with an input that the contract accepts. */

/** Number of points that inputs are made of, for each group: small multiples of the generator. */
const POINTS = 4;
const FIELD_BYTES = 48;

/** Big-endian bytes of a number. */
function numberBytes(value: bigint, length = 32): Uint8Array {
  return hexToBytes(value.toString(16).padStart(2 * length, '0'));
}

type Curve<F> = { BASE: { multiply(scalar: bigint): { toAffine(): { x: F; y: F } } } };

/** The points 1G to 4G, each as the bytes of its coordinates. */
function multiples<F>(curve: Curve<F>, write: (coordinate: F) => Uint8Array): () => readonly Uint8Array[] {
  let points: readonly Uint8Array[] | undefined;
  return () => {
    points ??= Array.from({ length: POINTS }, (_, index) => {
      const { x, y } = curve.BASE.multiply(BigInt(index + 1)).toAffine();
      return concatBytes(write(x), write(y));
    });
    return points;
  };
}

const field = (value: bigint): Uint8Array => numberBytes(value, 64);
const bn254G1 = multiples(bn254.G1.Point, (value: bigint) => numberBytes(value));
/** The imaginary part comes first (EIP-197). */
const bn254G2 = multiples(bn254.G2.Point, ({ c0, c1 }: { c0: bigint; c1: bigint }) =>
  concatBytes(numberBytes(c1), numberBytes(c0)),
);
const blsG1 = multiples(bls12_381.G1.Point, field);
const blsG2 = multiples(bls12_381.G2.Point, ({ c0, c1 }: { c0: bigint; c1: bigint }) =>
  concatBytes(field(c0), field(c1)),
);

/** A point of a table, or the point at infinity. */
function point(random: Random, points: readonly Uint8Array[]): Uint8Array {
  const first = points[0] ?? new Uint8Array(0);
  return random.below(6) === 0 ? new Uint8Array(first.length) : (points[random.below(POINTS)] ?? first);
}

function scalar(random: Random): Uint8Array {
  return numberBytes(randomNumber(random, random.pick([1, 2, 32])));
}

function repeated(random: Random, most: number, make: () => Uint8Array): Uint8Array {
  return concatBytes(...Array.from({ length: random.below(most + 1) }, make));
}

function ecrecoverInput(random: Random): Uint8Array {
  const hash = randomBytes(random, 32);
  const key = numberBytes(randomNumber(random, 31) + 1n);
  const signature = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' });
  const recovery = signature[0] ?? 0;
  return concatBytes(hash, numberBytes(BigInt(27 + recovery)), signature.subarray(1));
}

function p256Input(random: Random): Uint8Array {
  const hash = randomBytes(random, 32);
  const key = numberBytes(randomNumber(random, 31) + 1n);
  return concatBytes(
    hash,
    p256.sign(hash, key, { prehash: false }),
    p256.getPublicKey(key, false).subarray(1),
  );
}

function modexpInput(random: Random): Uint8Array {
  const lengths = Array.from({ length: 3 }, () => random.below(random.pick([3, 40, 100])));
  const heads = lengths.map((length) => numberBytes(BigInt(length)));
  return concatBytes(...heads, ...lengths.map((length) => randomBytes(random, length)));
}

function blake2fInput(random: Random): Uint8Array {
  const rounds = numberBytes(BigInt(random.below(30)), 4);
  return concatBytes(rounds, randomBytes(random, 64 + 128 + 16), Uint8Array.of(random.below(8) ? 1 : 2));
}

/** Coordinates for the maps to a curve (EIP-2537): sixteen zeros, then a number below the field's order. */
function blsField(random: Random): Uint8Array {
  return numberBytes(randomNumber(random, FIELD_BYTES - 1), 64);
}

type MakeInput = (random: Random) => Uint8Array;

const ISTANBUL: readonly (readonly [number, MakeInput])[] = [
  [1, ecrecoverInput],
  [2, (random) => randomBytes(random, random.below(200))],
  [3, (random) => randomBytes(random, random.below(200))],
  [4, (random) => randomBytes(random, random.below(200))],
  [5, modexpInput],
  [6, (random) => concatBytes(point(random, bn254G1()), point(random, bn254G1()))],
  [7, (random) => concatBytes(point(random, bn254G1()), scalar(random))],
  [8, (random) => repeated(random, 2, () => concatBytes(point(random, bn254G1()), point(random, bn254G2())))],
  [9, blake2fInput],
];

const PRAGUE: readonly (readonly [number, MakeInput])[] = [
  [0x0b, (random) => concatBytes(point(random, blsG1()), point(random, blsG1()))],
  [0x0c, (random) => repeated(random, 3, () => concatBytes(point(random, blsG1()), scalar(random)))],
  [0x0d, (random) => concatBytes(point(random, blsG2()), point(random, blsG2()))],
  [0x0e, (random) => repeated(random, 2, () => concatBytes(point(random, blsG2()), scalar(random)))],
  [0x0f, (random) => repeated(random, 2, () => concatBytes(point(random, blsG1()), point(random, blsG2())))],
  [0x10, blsField],
  [0x11, (random) => concatBytes(blsField(random), blsField(random))],
];

const OSAKA: readonly (readonly [number, MakeInput])[] = [[0x100, p256Input]];

export interface PrecompileCall {
  readonly address: number;
  readonly input: Uint8Array;
}

/**
 * A random call of a precompiled contract of the hard fork. Of the point evaluation there is none, for the oracle
 * lacks it.
 */
export function randomPrecompileCall(random: Random, hardfork: Hardfork): PrecompileCall {
  const contracts = [
    ...ISTANBUL,
    ...(isSince(hardfork, 'prague') ? PRAGUE : []),
    ...(isSince(hardfork, 'osaka') ? OSAKA : []),
  ];
  const [address, make] = contracts[random.below(contracts.length)] ?? [
    4,
    (source) => randomBytes(source, 9),
  ];
  return { address, input: spoil(random, make(random)) };
}

/** Corrupts one input in four. */
function spoil(random: Random, input: Uint8Array): Uint8Array {
  const spoilt = Uint8Array.from(input);
  switch (random.below(12)) {
    case 0:
      return spoilt.subarray(0, random.below(input.length + 1));
    case 1:
      return concatBytes(spoilt, randomBytes(random, 1 + random.below(70)));
    case 2:
      if (input.length > 0) spoilt[random.below(input.length)] = random.below(256);
      return spoilt;
    default:
      return input;
  }
}
