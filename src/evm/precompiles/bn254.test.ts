import { bn254 } from '@noble/curves/bn254.js';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { bytesToHex, concatBytes } from '../../protocol/index.ts';
import { call, createOracle, type Oracle, outputOf, word } from './precompiles.testing.ts';
import { precompileAt } from './registry.ts';

const FIELD = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n;
const ORDER = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001n;
const G1 = bn254.G1.Point;
const G2 = bn254.G2.Point;
type G1Point = typeof G1.BASE;
type G2Point = typeof G2.BASE;

const INFINITY_1 = new Uint8Array(64);
const INFINITY_2 = new Uint8Array(128);
const ONE = '01'.padStart(64, '0');
const ZERO = '00'.repeat(32);

const scalar = fc.bigInt({ min: 0n, max: ORDER - 1n });

function encode1(point: G1Point): Uint8Array {
  if (point.is0()) return INFINITY_1;
  const { x, y } = point.toAffine();
  return concatBytes(word(x), word(y));
}

function encode2(point: G2Point): Uint8Array {
  if (point.is0()) return INFINITY_2;
  const { x, y } = point.toAffine();
  return concatBytes(word(x.c1), word(x.c0), word(y.c1), word(y.c0));
}

function multiply1(factor: bigint): G1Point {
  return factor === 0n ? G1.ZERO : G1.BASE.multiply(factor);
}

function multiply2(factor: bigint): G2Point {
  return factor === 0n ? G2.ZERO : G2.BASE.multiply(factor);
}

/** A point of the twist outside of the subgroup, as nearly every point is. */
function strayPoint(): G2Point {
  const { Fp2 } = bn254.fields;
  const b = Fp2.div(Fp2.fromBigTuple([3n, 0n]), Fp2.fromBigTuple([9n, 1n]));
  for (let real = 1n; ; real += 1n) {
    const x = Fp2.fromBigTuple([real, 0n]);
    const square = Fp2.add(Fp2.mul(Fp2.sqr(x), x), b);
    try {
      const y = Fp2.sqrt(square);
      const point = G2.fromAffine({ x, y });
      if (!point.isTorsionFree()) return point;
    } catch {
      // No square: the next x.
    }
  }
}

let oracle: Oracle;
beforeAll(async () => {
  oracle = await createOracle();
});

const base1 = encode1(G1.BASE);
const base2 = encode2(G2.BASE);

describe('bn254Add', () => {
  test('default', () => {
    expect(call(6, concatBytes(base1, base1))).toEqual({
      gas: 150n,
      output: bytesToHex(encode1(G1.BASE.double())),
    });
  });

  test('behavior: any sums agree with another implementation', () => {
    fc.assert(
      fc.property(scalar, scalar, (left, right) => {
        const sum = multiply1(left).add(multiply1(right));
        const input = concatBytes(encode1(multiply1(left)), encode1(multiply1(right)));
        expect(outputOf(6, input)).toBe(bytesToHex(encode1(sum)));
      }),
      { numRuns: 40 },
    );
  });

  test('behavior: infinity is neutral, and the sum of a point and its opposite', () => {
    expect(outputOf(6, concatBytes(base1, INFINITY_1))).toBe(bytesToHex(base1));
    expect(outputOf(6, concatBytes(INFINITY_1, base1))).toBe(bytesToHex(base1));
    expect(outputOf(6, concatBytes(base1, encode1(G1.BASE.negate())))).toBe('00'.repeat(64));
    expect(outputOf(6, new Uint8Array())).toBe('00'.repeat(64));
  });

  test('behavior: a short input is padded with zeros, a long one cut', () => {
    expect(outputOf(6, base1)).toBe(bytesToHex(base1));
    expect(outputOf(6, concatBytes(base1, base1, new Uint8Array(50).fill(255)))).toBe(
      outputOf(6, concatBytes(base1, base1)),
    );
    expect(outputOf(6, base1.subarray(0, 63))).toBeUndefined();
  });
});

describe('bn254Mul', () => {
  test('default', () => {
    expect(call(7, concatBytes(base1, word(2n)))).toEqual({
      gas: 6_000n,
      output: bytesToHex(encode1(G1.BASE.double())),
    });
  });

  test('behavior: any multiples agree with another implementation', () => {
    const factors = fc.oneof(
      fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      fc.constantFrom(0n, 1n, ORDER - 1n, ORDER, ORDER + 1n, FIELD, 2n ** 255n, 2n ** 256n - 1n),
    );
    fc.assert(
      fc.property(scalar, factors, (start, factor) => {
        const expected = multiply1((start * factor) % ORDER);
        const input = concatBytes(encode1(multiply1(start)), word(factor));
        expect(outputOf(7, input)).toBe(bytesToHex(encode1(expected)));
      }),
      { numRuns: 60 },
    );
  });

  test('behavior: a short input is padded with zeros, a long one cut', () => {
    expect(outputOf(7, base1)).toBe('00'.repeat(64));
    expect(outputOf(7, new Uint8Array())).toBe('00'.repeat(64));
    const cut = concatBytes(base1, word(2n ** 248n));
    expect(outputOf(7, cut.subarray(0, 65))).toBe(outputOf(7, cut));
    expect(outputOf(7, concatBytes(cut, Uint8Array.of(9)))).toBe(outputOf(7, cut));
  });
});

describe('malformed points of G1', () => {
  const { x, y } = G1.BASE.toAffine();
  const malformed: [what: string, point: Uint8Array][] = [
    ['not on the curve', concatBytes(word(1n), word(1n))],
    ['x zero', concatBytes(word(0n), word(2n))],
    ['y zero', concatBytes(word(1n), word(0n))],
    ['x the modulus', concatBytes(word(FIELD), word(0n))],
    ['y the modulus', concatBytes(word(0n), word(FIELD))],
    ['both the modulus', concatBytes(word(FIELD), word(FIELD))],
    ['x beyond the modulus', concatBytes(word(x + FIELD), word(y))],
    ['y beyond the modulus', concatBytes(word(x), word(y + FIELD))],
    ['all bits', new Uint8Array(64).fill(255)],
  ];

  test.each(malformed)('behavior: %s fails', async (_, point) => {
    for (const [address, input] of [
      [6, concatBytes(point, base1)],
      [6, concatBytes(base1, point)],
      [6, concatBytes(INFINITY_1, point)],
      [7, concatBytes(point, word(0n))],
      [7, concatBytes(point, word(1n))],
      [8, concatBytes(point, base2)],
      [8, concatBytes(point, INFINITY_2)],
      [8, concatBytes(base1, base2, point, base2)],
    ] as const) {
      expect(call(address, input)).toBe('failure');
      expect(await oracle(address, input)).toBe('failure');
    }
  });
});

describe('bn254Pairing', () => {
  test('default', () => {
    const input = concatBytes(base1, base2, encode1(G1.BASE.negate()), base2);
    expect(call(8, input)).toEqual({ gas: 113_000n, output: ONE });
    expect(outputOf(8, concatBytes(base1, base2))).toBe(ZERO);
    expect(outputOf(8, concatBytes(base1, base2, base1, base2))).toBe(ZERO);
  });

  test('behavior: no pairs give one', () => {
    expect(call(8, new Uint8Array())).toEqual({ gas: 45_000n, output: ONE });
  });

  test('behavior: pairs with infinity give one', () => {
    expect(outputOf(8, new Uint8Array(192))).toBe(ONE);
    expect(outputOf(8, concatBytes(base1, INFINITY_2))).toBe(ONE);
    expect(outputOf(8, concatBytes(INFINITY_1, base2))).toBe(ONE);
    expect(outputOf(8, concatBytes(INFINITY_1, base2, base1, base2))).toBe(ZERO);
  });

  test('behavior: the pairing product is one if and only if the exponents cancel', () => {
    fc.assert(
      fc.property(scalar, scalar, fc.boolean(), (left, right, cancels) => {
        // a G1 with b G2, and -ab G1 with G2, or one more.
        const opposite = (2n * ORDER - ((left * right) % ORDER) + (cancels ? 0n : 1n)) % ORDER;
        const input = concatBytes(
          encode1(multiply1(left)),
          encode2(multiply2(right)),
          encode1(multiply1(opposite)),
          base2,
        );
        expect(outputOf(8, input)).toBe(cancels ? ONE : ZERO);
      }),
      { numRuns: 15 },
    );
  });

  test('behavior: another length fails', () => {
    for (const length of [1, 64, 191, 193, 383]) {
      expect(call(8, concatBytes(base1, base2, base1, base2).subarray(0, length)), `${length}`).toBe(
        'failure',
      );
    }
    expect(precompileAt(8, 'cancun')?.gas(new Uint8Array(383))).toBe(79_000n);
  });

  test('behavior: a point of the twist outside the subgroup fails', async () => {
    const stray = encode2(strayPoint());
    for (const input of [
      concatBytes(base1, stray),
      concatBytes(INFINITY_1, stray),
      concatBytes(base1, base2, base1, stray),
    ]) {
      expect(call(8, input)).toBe('failure');
      expect(await oracle(8, input)).toBe('failure');
    }
  });

  test('behavior: malformed points of G2 fail', async () => {
    const { x, y } = G2.BASE.toAffine();
    const words = [x.c1, x.c0, y.c1, y.c0];
    const swapped = [x.c0, x.c1, y.c0, y.c1];
    const malformed = [
      ...[0, 1, 2, 3].map((at) => words.map((value, index) => (index === at ? value + FIELD : value))),
      ...[0, 1, 2, 3].map((at) => words.map((value, index) => (index === at ? value ^ 1n : value))),
      ...[0, 1, 2, 3].map((at) => [0n, 0n, 0n, 0n].map((_, index) => (index === at ? FIELD : 0n))),
      swapped,
      [1n, 1n, 1n, 1n],
      [0n, 0n, 0n, 1n],
    ];
    for (const values of malformed) {
      const point = concatBytes(...values.map((value) => word(value)));
      for (const left of [base1, INFINITY_1]) {
        expect(call(8, concatBytes(left, point)), `${values}`).toBe('failure');
        expect(await oracle(8, concatBytes(left, point)), `${values}`).toBe('failure');
      }
    }
  });
});
