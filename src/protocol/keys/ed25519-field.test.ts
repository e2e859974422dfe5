import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  callPart,
  constantOffset,
  fromLittleEndian,
  laySlot,
  modulo,
  PRIME,
  partMemory,
  readPart,
  slot,
  toLittleEndian,
} from './ed25519.testing.ts';

const LIMBS = 10;
const view = new DataView(partMemory.buffer);

/** Returns the weight of limb `index`, and its greatest magnitude in a reduced element. */
function weightOf(index: number): bigint {
  return 2n ** BigInt(Math.ceil(25.5 * index));
}
function boundOf(index: number): number {
  return Math.floor(1.01 * 2 ** (index % 2 === 0 ? 25 : 24));
}

function layLimbs(index: number, limbs: readonly number[]): number {
  limbs.forEach((limb, position) => {
    view.setInt32(slot(index) + 4 * position, limb, true);
  });
  return slot(index);
}

function readLimbs(offset: number): number[] {
  return Array.from({ length: LIMBS }, (_, position) => view.getInt32(offset + 4 * position, true));
}

function numberOf(limbs: readonly number[]): bigint {
  return limbs.reduce((value, limb, index) => value + BigInt(limb) * weightOf(index), 0n);
}

/** Lays an element of which only the encoding matters. */
function layNumber(index: number, value: bigint): number {
  const offset = slot(index);
  callPart('decode', offset, laySlot(9, toLittleEndian(modulo(value, PRIME))));
  return offset;
}

function encodingOf(offset: number): bigint {
  callPart('encode', slot(8), offset);
  return fromLittleEndian(readPart(slot(8)));
}

/** Limbs with magnitudes up to a number of times those of a reduced element, often the greatest. */
function limbs(times: number): fc.Arbitrary<number[]> {
  return fc.tuple(
    ...Array.from({ length: LIMBS }, (_, index) => {
      const bound = times * boundOf(index);
      const extreme = fc.constantFrom(bound, -bound, 0);
      return fc.oneof(extreme, fc.integer({ min: -bound, max: bound }));
    }),
  );
}

const number = fc.oneof(
  fc.bigInt(0n, PRIME - 1n),
  fc.bigInt(0n, 40n),
  fc.bigInt(PRIME - 40n, PRIME - 1n),
  fc.nat(254).map((bit) => 2n ** BigInt(bit)),
);

function expectReduced(offset: number): void {
  for (const [index, limb] of readLimbs(offset).entries()) {
    expect(Math.abs(limb), `limb ${index}`).toBeLessThanOrEqual(boundOf(index));
  }
}

test.each([
  [1, 32],
  [4, 8],
  [8, 4],
  [32, 1],
])('behavior: factors of %i and %i times a reduced element give a reduced product', (left, right) => {
  fc.assert(
    fc.property(limbs(left), limbs(right), (a, b) => {
      callPart('multiply', slot(2), layLimbs(0, a), layLimbs(1, b));
      expectReduced(slot(2));
      expect(modulo(numberOf(readLimbs(slot(2))), PRIME)).toBe(modulo(numberOf(a) * numberOf(b), PRIME));
    }),
    { numRuns: 1_000 },
  );
});

test('behavior: squares of the greatest factors are reduced', () => {
  fc.assert(
    fc.property(limbs(5), (a) => {
      callPart('square', slot(1), layLimbs(0, a));
      expectReduced(slot(1));
      expect(modulo(numberOf(readLimbs(slot(1))), PRIME)).toBe(modulo(numberOf(a) ** 2n, PRIME));
    }),
    { numRuns: 2_000 },
  );
});

test('behavior: all limbs at their bounds with any signs', () => {
  for (let signs = 0; signs < 2 ** LIMBS; signs++) {
    const a = Array.from({ length: LIMBS }, (_, index) => boundOf(index) * ((signs >> index) & 1 ? 5 : -5));
    callPart('multiply', slot(2), layLimbs(0, a), layLimbs(1, a));
    expectReduced(slot(2));
    expect(encodingOf(slot(2))).toBe(modulo(numberOf(a) ** 2n, PRIME));
    callPart('square', slot(3), slot(0));
    expect(readLimbs(slot(3))).toEqual(readLimbs(slot(2)));
  }
});

test('behavior: results may be arguments', () => {
  const a = Array.from({ length: LIMBS }, (_, index) => boundOf(index) - index);
  for (const name of ['multiply', 'add', 'subtract']) {
    callPart(name, slot(2), layLimbs(0, a), slot(0));
    callPart(name, slot(0), slot(0), slot(0));
    expect(readLimbs(slot(0)), name).toEqual(readLimbs(slot(2)));
  }
  for (const name of ['square', 'negate', 'carry', 'invert']) {
    callPart(name, slot(2), layLimbs(0, a));
    callPart(name, slot(0), slot(0));
    expect(readLimbs(slot(0)), name).toEqual(readLimbs(slot(2)));
  }
});

test('behavior: sums, differences and negatives', () => {
  fc.assert(
    fc.property(limbs(4), limbs(4), (a, b) => {
      callPart('add', slot(2), layLimbs(0, a), layLimbs(1, b));
      expect(numberOf(readLimbs(slot(2)))).toBe(numberOf(a) + numberOf(b));
      callPart('subtract', slot(2), slot(0), slot(1));
      expect(numberOf(readLimbs(slot(2)))).toBe(numberOf(a) - numberOf(b));
      callPart('negate', slot(2), slot(0));
      expect(numberOf(readLimbs(slot(2)))).toBe(-numberOf(a));
    }),
  );
});

test('behavior: an element of any limbs is encoded as the number below the prime', () => {
  const anyLimbs = fc.array(fc.integer(), { minLength: LIMBS, maxLength: LIMBS });
  fc.assert(
    fc.property(anyLimbs, (a) => {
      expect(encodingOf(layLimbs(0, a))).toBe(modulo(numberOf(a), PRIME));
    }),
    { numRuns: 3_000 },
  );
});

test('behavior: multiples of the prime and their neighbours are encoded as numbers below it', () => {
  for (let multiple = -3n; multiple <= 3n; multiple++) {
    for (let neighbour = -20n; neighbour <= 20n; neighbour++) {
      let rest = multiple * PRIME + neighbour;
      const spread = Array.from({ length: LIMBS }, (_, index) => {
        if (index === LIMBS - 1) return Number(rest);
        const bits = BigInt(index % 2 === 0 ? 26 : 25);
        const limb = BigInt.asUintN(Number(bits), rest);
        rest = (rest - limb) >> bits;
        return Number(limb);
      });
      expect(encodingOf(layLimbs(0, spread))).toBe(modulo(neighbour, PRIME));
    }
  }
});

test('behavior: decoding uses the lower 255 bits, even if they are not below the prime', () => {
  const bytes = fc.oneof(
    fc.bigInt(0n, 2n ** 256n - 1n),
    fc.bigInt(PRIME - 5n, 2n ** 255n + 5n),
    fc.bigInt(2n ** 256n - 30n, 2n ** 256n - 1n),
  );
  fc.assert(
    fc.property(bytes, (value) => {
      callPart('decode', slot(0), laySlot(9, toLittleEndian(value)));
      expectReduced(slot(0));
      expect(encodingOf(slot(0))).toBe(modulo(BigInt.asUintN(255, value), PRIME));
    }),
    { numRuns: 2_000 },
  );
});

test('behavior: a number times its inverse is 1; 0 has 0', () => {
  fc.assert(
    fc.property(number, (value) => {
      callPart('invert', slot(1), layNumber(0, value));
      callPart('multiply', slot(1), slot(1), slot(0));
      expect(encodingOf(slot(1))).toBe(value === 0n ? 0n : 1n);
    }),
    { numRuns: 300 },
  );
});

test('behavior: a ratio has a root, or 2 times it has', () => {
  fc.assert(
    fc.property(
      number,
      number.filter((value) => value !== 0n),
      (u, v) => {
        const hasRoot = callPart('rootOfRatio', slot(2), layNumber(0, u), layNumber(1, v)) !== 0;
        // 2 is no square modulo this prime.
        const hasOther = callPart('rootOfRatio', slot(3), layNumber(4, 2n * u), slot(1)) !== 0;
        expect([hasRoot, hasOther]).toEqual(u === 0n ? [true, true] : [hasRoot, !hasRoot]);
        const root = encodingOf(hasRoot ? slot(2) : slot(3));
        expect(modulo(root * root * v, PRIME)).toBe(modulo(hasRoot ? u : 2n * u, PRIME));
      },
    ),
    { numRuns: 300 },
  );
});

test('behavior: equal numbers in different limbs are equal', () => {
  const a = Array.from({ length: LIMBS }, (_, index) => boundOf(index));
  callPart('carry', slot(1), layLimbs(0, a));
  expect(callPart('areEqual', slot(0), slot(1))).toBe(1);
  view.setInt32(slot(1), view.getInt32(slot(1), true) + 1, true);
  expect(callPart('areEqual', slot(0), slot(1))).toBe(0);
});

test('behavior: the constants have their defined values', () => {
  const d = encodingOf(constantOffset('CURVE_D'));
  expect(modulo(d * 121_666n, PRIME)).toBe(PRIME - 121_665n);
  expect(encodingOf(constantOffset('TWICE_CURVE_D'))).toBe(modulo(2n * d, PRIME));
  const root = encodingOf(constantOffset('ROOT_OF_MINUS_ONE'));
  expect(modulo(root * root, PRIME)).toBe(PRIME - 1n);
  const [x, y, z, t] = [0, 40, 80, 120].map((offset) => encodingOf(constantOffset('BASE_POINT') + offset));
  expect([z, t]).toEqual([1n, modulo((x ?? 0n) * (y ?? 0n), PRIME)]);
  expect(modulo((y ?? 0n) * 5n, PRIME)).toBe(4n);
  expect((x ?? 1n) % 2n).toBe(0n);
});
