import { bls12_381 } from '@noble/curves/bls12-381.js';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { bytesToHex, concatBytes } from '../../protocol/index.ts';
import {
  coordinate,
  encode1,
  encode2,
  FIELD,
  G1,
  G2,
  INFINITY_1,
  INFINITY_2,
  multiply1,
  multiply2,
  ORDER,
  strayPoint1,
  strayPoint2,
} from './bls12-381.testing.ts';
import { type Called, call as callOf, createOracle, type Oracle, word } from './precompiles.testing.ts';

const [G1_ADD, G1_MSM, G2_ADD, G2_MSM, PAIRING, MAP_1, MAP_2] = [11, 12, 13, 14, 15, 16, 17] as const;

const ONE = '01'.padStart(64, '0');
const ZERO = '00'.repeat(32);

const base1 = encode1(G1.BASE);
const base2 = encode2(G2.BASE);
const stray1 = encode1(strayPoint1(1n));
const stray2 = encode2(strayPoint2(1n));

const scalar = fc.bigInt({ min: 0n, max: ORDER - 1n });
/** Scalars in an input: any word, and those around the order. */
const factor = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.constantFrom(0n, 1n, ORDER - 1n, ORDER, ORDER + 1n, 2n ** 128n, 2n ** 256n - 1n),
);

let oracle: Oracle;
beforeAll(async () => {
  oracle = await createOracle('prague');
});

const call = (address: number, ...parts: Uint8Array[]): Called =>
  callOf(address, concatBytes(...parts), 'prague');
const output = (address: number, ...parts: Uint8Array[]): string | undefined => {
  const called = call(address, ...parts);
  return called === 'failure' ? undefined : called.output;
};

async function expectAgreement(address: number, ...parts: Uint8Array[]): Promise<Called> {
  const called = call(address, ...parts);
  expect(called, bytesToHex(concatBytes(...parts))).toEqual(await oracle(address, concatBytes(...parts)));
  return called;
}

describe('additions', () => {
  test('default', () => {
    expect(call(G1_ADD, base1, base1)).toEqual({ gas: 375n, output: bytesToHex(encode1(G1.BASE.double())) });
    expect(call(G2_ADD, base2, base2)).toEqual({ gas: 600n, output: bytesToHex(encode2(G2.BASE.double())) });
  });

  test('behavior: any sums agree with another implementation', () => {
    fc.assert(
      fc.property(scalar, scalar, (left, right) => {
        const [one, other] = [encode1(multiply1(left)), encode1(multiply1(right))];
        expect(output(G1_ADD, one, other)).toBe(bytesToHex(encode1(multiply1(left + right))));
        const [third, fourth] = [encode2(multiply2(left)), encode2(multiply2(right))];
        expect(output(G2_ADD, third, fourth)).toBe(bytesToHex(encode2(multiply2(left + right))));
      }),
      { numRuns: 10 },
    );
  });

  test('behavior: infinity is neutral, and a point and its opposite give it', () => {
    expect(output(G1_ADD, base1, INFINITY_1)).toBe(bytesToHex(base1));
    expect(output(G1_ADD, INFINITY_1, base1)).toBe(bytesToHex(base1));
    expect(output(G1_ADD, base1, encode1(G1.BASE.negate()))).toBe('00'.repeat(128));
    expect(output(G1_ADD, INFINITY_1, INFINITY_1)).toBe('00'.repeat(128));
    expect(output(G2_ADD, base2, INFINITY_2)).toBe(bytesToHex(base2));
    expect(output(G2_ADD, base2, encode2(G2.BASE.negate()))).toBe('00'.repeat(256));
  });

  test('behavior: points outside the subgroup are added', async () => {
    for (const [address, stray, base] of [
      [G1_ADD, stray1, base1],
      [G2_ADD, stray2, base2],
    ] as const) {
      expect(await expectAgreement(address, stray, base)).not.toBe('failure');
      expect(await expectAgreement(address, stray, stray)).not.toBe('failure');
      expect(await expectAgreement(address, stray, new Uint8Array(base.length))).not.toBe('failure');
    }
  });
});

describe('sums of products', () => {
  test('default', () => {
    const eleven1 = bytesToHex(encode1(multiply1(11n)));
    expect(call(G1_MSM, base1, word(11n))).toEqual({ gas: 12_000n, output: eleven1 });
    const two = [base1, word(4n), encode1(multiply1(2n)), word(ORDER + 3n)];
    expect(call(G1_MSM, ...two)).toEqual({ gas: 22_776n, output: bytesToHex(encode1(multiply1(10n))) });
    const eleven2 = bytesToHex(encode2(multiply2(11n)));
    expect(call(G2_MSM, base2, word(11n))).toEqual({ gas: 22_500n, output: eleven2 });
  });

  test('behavior: any sums agree with another implementation', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(scalar, factor), { minLength: 1, maxLength: 5 }), (terms) => {
        const total = terms.reduce((sum, [start, times]) => sum + start * times, 0n);
        const terms1 = terms.flatMap(([start, times]) => [encode1(multiply1(start)), word(times)]);
        expect(output(G1_MSM, ...terms1)).toBe(bytesToHex(encode1(multiply1(total))));
        const terms2 = terms.flatMap(([start, times]) => [encode2(multiply2(start)), word(times)]);
        expect(output(G2_MSM, ...terms2)).toBe(bytesToHex(encode2(multiply2(total))));
      }),
      { numRuns: 8 },
    );
  });

  test('behavior: more terms than a batch has', () => {
    const points = Array.from({ length: 16 }, (_, index) => multiply1(BigInt(index) + 5n));
    const factors = Array.from({ length: 600 }, (_, index) => BigInt(index) ** 29n % 2n ** 256n);
    const terms = factors.flatMap((times, index) => [encode1(points[index % 16] ?? G1.ZERO), word(times)]);
    const total = factors.reduce((sum, times, index) => sum + times * BigInt((index % 16) + 5), 0n);
    const called = call(G1_MSM, ...terms);
    // 519 thousandths of the price of one for each of 128 or more.
    expect(called).toEqual({ gas: 3_736_800n, output: bytesToHex(encode1(multiply1(total))) });
  });

  test('behavior: the gas for every number of terms equals that of another implementation', async () => {
    for (const [address, point] of [
      [G1_MSM, INFINITY_1],
      [G2_MSM, INFINITY_2],
    ] as const) {
      for (const count of [1, 2, 3, 7, 16, 33, 64, 100, 127, 128, 129]) {
        const term = concatBytes(point, word(1n));
        await expectAgreement(address, ...Array.from({ length: count }, () => term));
      }
    }
  });

  test('error: no terms, and points outside the subgroup, even times 0', async () => {
    expect(await expectAgreement(G1_MSM)).toBe('failure');
    expect(await expectAgreement(G2_MSM)).toBe('failure');
    for (const times of [0n, 1n]) {
      expect(await expectAgreement(G1_MSM, stray1, word(times))).toBe('failure');
      expect(await expectAgreement(G2_MSM, stray2, word(times))).toBe('failure');
      expect(await expectAgreement(G1_MSM, base1, word(1n), stray1, word(times))).toBe('failure');
    }
  });
});

describe('bls12PairingCheck', () => {
  const opposite1 = encode1(G1.BASE.negate());

  test('default', () => {
    expect(call(PAIRING, base1, base2, opposite1, base2)).toEqual({ gas: 102_900n, output: ONE });
    expect(call(PAIRING, base1, base2)).toEqual({ gas: 70_300n, output: ZERO });
    expect(output(PAIRING, base1, base2, base1, base2)).toBe(ZERO);
  });

  test('behavior: pairs with infinity give one', () => {
    expect(output(PAIRING, INFINITY_1, INFINITY_2)).toBe(ONE);
    expect(output(PAIRING, base1, INFINITY_2)).toBe(ONE);
    expect(output(PAIRING, INFINITY_1, base2)).toBe(ONE);
    expect(output(PAIRING, INFINITY_1, base2, base1, base2)).toBe(ZERO);
  });

  test('behavior: the pairing product is one if and only if the exponents cancel', () => {
    fc.assert(
      fc.property(scalar, scalar, fc.boolean(), (left, right, cancels) => {
        const opposite = 2n * ORDER - ((left * right) % ORDER) + (cancels ? 0n : 1n);
        const pairs = [encode1(multiply1(left)), encode2(multiply2(right))];
        const answer = output(PAIRING, ...pairs, encode1(multiply1(opposite)), base2);
        expect(answer).toBe(cancels ? ONE : ZERO);
      }),
      { numRuns: 8 },
    );
  });

  test('behavior: more pairs than a batch has', () => {
    const pairs = Array.from({ length: 129 }, () => [base1, base2, opposite1, base2]).flat();
    expect(output(PAIRING, ...pairs)).toBe(ONE);
    expect(output(PAIRING, ...pairs, base1, base2)).toBe(ZERO);
  });

  test('error: no pairs, and points outside the subgroup, with infinity too', async () => {
    expect(await expectAgreement(PAIRING)).toBe('failure');
    for (const pair of [
      [stray1, base2],
      [base1, stray2],
      [stray1, INFINITY_2],
      [INFINITY_1, stray2],
    ]) {
      expect(await expectAgreement(PAIRING, ...pair)).toBe('failure');
      expect(await expectAgreement(PAIRING, base1, base2, ...pair)).toBe('failure');
    }
  });
});

describe('maps', () => {
  test('default', async () => {
    expect(await expectAgreement(MAP_1, coordinate(1n))).toMatchObject({ gas: 5_500n });
    expect(await expectAgreement(MAP_2, coordinate(1n), coordinate(2n))).toMatchObject({ gas: 23_800n });
  });

  test('behavior: any elements agree with another implementation', async () => {
    const element = fc.oneof(
      { weight: 3, arbitrary: fc.bigInt({ min: 0n, max: FIELD - 1n }) },
      fc.constantFrom(0n, 1n, 2n, FIELD - 1n, FIELD - 2n, (FIELD - 1n) / 2n, (FIELD + 1n) / 2n),
    );
    await fc.assert(
      fc.asyncProperty(element, element, async (first, second) => {
        expect(await expectAgreement(MAP_1, coordinate(first))).not.toBe('failure');
        expect(await expectAgreement(MAP_2, coordinate(first), coordinate(second))).not.toBe('failure');
      }),
      { numRuns: 25 },
    );
  });

  test('behavior: the elements for which the map has a special case', async () => {
    // z² u⁴ + z u² = 0 for u = 0 and where z u² = -1, with z = 11 for G1. For G2 there is no such u but 0.
    const { Fp } = bls12_381.fields;
    const root = Fp.sqrt(Fp.neg(Fp.inv(11n)));
    expect(await expectAgreement(MAP_1, coordinate(root))).not.toBe('failure');
    expect(await expectAgreement(MAP_2, coordinate(0n), coordinate(0n))).not.toBe('failure');
  });

  test('error: numbers that are not below the modulus', async () => {
    for (const number of [FIELD, FIELD + 1n, 2n ** 384n - 1n, 2n ** 384n, 2n ** 511n]) {
      expect(await expectAgreement(MAP_1, coordinate(number))).toBe('failure');
      expect(await expectAgreement(MAP_2, coordinate(number), coordinate(0n))).toBe('failure');
      expect(await expectAgreement(MAP_2, coordinate(0n), coordinate(number))).toBe('failure');
    }
  });
});

describe('malformed inputs', () => {
  test.each([
    [G1_ADD, concatBytes(base1, base1)],
    [G1_MSM, concatBytes(base1, word(1n), base1, word(1n))],
    [G2_ADD, concatBytes(base2, base2)],
    [G2_MSM, concatBytes(base2, word(1n))],
    [PAIRING, concatBytes(base1, base2)],
    [MAP_1, coordinate(1n)],
    [MAP_2, concatBytes(coordinate(1n), coordinate(1n))],
  ] as const)('error: contract %i with a byte too few or too many', async (address, input) => {
    for (const bytes of [input.subarray(1), input.subarray(0, 1), concatBytes(input, Uint8Array.of(0))]) {
      expect(await expectAgreement(address, bytes)).toBe('failure');
    }
  });

  const { x, y } = G1.BASE.toAffine();
  test.each<[title: string, point: Uint8Array]>([
    ['not on the curve', concatBytes(coordinate(1n), coordinate(1n))],
    ['x zero', concatBytes(coordinate(0n), coordinate(1n))],
    ['y zero', concatBytes(coordinate(x), coordinate(0n))],
    ['x the modulus', concatBytes(coordinate(FIELD), coordinate(0n))],
    ['both the modulus', concatBytes(coordinate(FIELD), coordinate(FIELD))],
    ['x beyond the modulus', concatBytes(coordinate(x + FIELD), coordinate(y))],
    ['y beyond the modulus', concatBytes(coordinate(x), coordinate(y + FIELD))],
    ['x with a byte in front', concatBytes(coordinate(x + 2n ** 384n), coordinate(y))],
    ['y with a byte in front', concatBytes(coordinate(x), coordinate(y + 2n ** 504n))],
    ['infinity with a byte in front', concatBytes(coordinate(2n ** 400n), coordinate(0n))],
    ['all bits', new Uint8Array(128).fill(255)],
  ])('error: a point of G1: %s', async (_, point) => {
    expect(await expectAgreement(G1_ADD, point, base1)).toBe('failure');
    expect(await expectAgreement(G1_ADD, base1, point)).toBe('failure');
    expect(await expectAgreement(G1_MSM, point, word(0n))).toBe('failure');
    expect(await expectAgreement(PAIRING, point, INFINITY_2)).toBe('failure');
  });

  test('error: points of G2', async () => {
    const affine = G2.BASE.toAffine();
    const numbers = [affine.x.c0, affine.x.c1, affine.y.c0, affine.y.c1];
    const zeros = [0n, 0n, 0n, 0n];
    const changed = (values: bigint[], at: number, change: (value: bigint) => bigint) =>
      values.map((value, index) => (index === at ? change(value) : value));
    const malformed = [0, 1, 2, 3].flatMap((at) => [
      changed(numbers, at, (value) => value + FIELD),
      changed(numbers, at, (value) => value ^ 1n),
      changed(numbers, at, (value) => value + 2n ** 384n),
      changed(zeros, at, () => FIELD),
      changed(zeros, at, () => 1n),
    ]);
    const swapped = [affine.x.c1, affine.x.c0, affine.y.c1, affine.y.c0];
    for (const values of [...malformed, swapped]) {
      const point = concatBytes(...values.map(coordinate));
      expect(await expectAgreement(G2_ADD, point, base2)).toBe('failure');
      expect(await expectAgreement(G2_ADD, base2, point)).toBe('failure');
      expect(await expectAgreement(G2_MSM, point, word(0n))).toBe('failure');
      expect(await expectAgreement(PAIRING, INFINITY_1, point)).toBe('failure');
    }
  });

  test('behavior: zeros of every length up to 520 bytes agree', async () => {
    for (const address of [G1_ADD, G1_MSM, G2_ADD, G2_MSM, PAIRING, MAP_1, MAP_2]) {
      for (let length = 0; length <= 520; length++) await expectAgreement(address, new Uint8Array(length));
    }
  });
});
