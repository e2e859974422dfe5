import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesToHex } from '../index.ts';
import {
  type CurvePoint,
  callPart,
  constantOffset,
  layPointTable,
  laySlot,
  multipleOf,
  ORDER,
  Point,
  PRIME,
  readPart,
  SMALL_ENCODINGS,
  SMALL_POINTS,
  slot,
  toLittleEndian,
} from './ed25519.testing.ts';

/** Lays a point that noble knows. */
function layPoint(index: number, point: CurvePoint): number {
  expect(callPart('decodePoint', slot(index), laySlot(9, point.toBytes()))).toBe(1);
  return slot(index);
}

function encodingOf(point: number): string {
  callPart('encodePoint', slot(8), point);
  return bytesToHex(readPart(slot(8)));
}

/** Returns true if noble decodes 32 bytes as a point (RFC 8032). */
function isPoint(bytes: Uint8Array): boolean {
  try {
    Point.fromBytes(bytes, false);
    return true;
  } catch {
    return false;
  }
}

const scalar = fc.oneof(
  fc.bigInt(0n, ORDER - 1n),
  fc.bigInt(0n, 300n),
  fc.bigInt(ORDER - 300n, ORDER - 1n),
  fc.nat(251).map((bit) => 2n ** BigInt(bit)),
  fc.nat(251).map((bit) => 2n ** BigInt(bit) - 1n),
);

/** Points of every order: a multiple of the base point and a part of small order. */
const point = fc
  .tuple(scalar, fc.constantFrom(...SMALL_POINTS))
  .map(([factor, small]) => multipleOf(Point.BASE, factor).add(small));

test('behavior: multiples of the base point', () => {
  const below = 2n ** 255n;
  const nibbles = Array.from(
    { length: 16 },
    (_, nibble) => (BigInt(nibble) * ((2n ** 256n - 1n) / 15n)) % below,
  );
  const ends = [below - 1n, below - 8n, 2n ** 254n, 2n ** 254n + 2n ** 253n, ORDER, ORDER - 1n, 7n * ORDER];
  fc.assert(
    fc.property(
      fc.oneof(fc.constantFrom(...nibbles, ...ends), scalar, fc.bigInt(0n, below - 1n)),
      (value) => {
        callPart('multiplyBase', slot(0), laySlot(1, toLittleEndian(value)));
        expect(encodingOf(slot(0))).toBe(multipleOf(Point.BASE, value).toHex());
      },
    ),
    { numRuns: 500 },
  );
});

test('behavior: every entry of the table, by every digit', () => {
  for (let place = 0n; place < 64n; place++) {
    for (let digit = 0n; digit < (place === 63n ? 8n : 16n); digit++) {
      const value = digit << (4n * place);
      callPart('multiplyBase', slot(0), laySlot(1, toLittleEndian(value)));
      expect(encodingOf(slot(0))).toBe(multipleOf(Point.BASE, value).toHex());
    }
  }
});

test('behavior: the difference of two multiples, of points of every order', () => {
  fc.assert(
    fc.property(scalar, scalar, point, (baseFactor, pointFactor, other) => {
      const baseScalar = laySlot(1, toLittleEndian(baseFactor));
      const pointScalar = laySlot(2, toLittleEndian(pointFactor));
      callPart('multiplyBoth', slot(0), baseScalar, pointScalar, layPointTable(layPoint(3, other)));
      const expected = multipleOf(Point.BASE, baseFactor).subtract(multipleOf(other, pointFactor));
      expect(encodingOf(slot(0))).toBe(expected.toHex());
    }),
    { numRuns: 1_000 },
  );
});

test('behavior: every odd multiple of the tables', () => {
  const base = layPointTable(layPoint(3, Point.BASE));
  for (let factor = 1n; factor < 256n; factor++) {
    callPart(
      'multiplyBoth',
      slot(0),
      laySlot(1, toLittleEndian(factor)),
      laySlot(2, toLittleEndian(0n)),
      base,
    );
    expect(encodingOf(slot(0))).toBe(multipleOf(Point.BASE, factor).toHex());
    callPart('multiplyBoth', slot(0), slot(2), laySlot(1, toLittleEndian(factor)), base);
    expect(encodingOf(slot(0))).toBe(multipleOf(Point.BASE, -factor).toHex());
  }
});

test('behavior: points of small order are found', () => {
  fc.assert(
    fc.property(point, (any) => {
      expect(callPart('isOfSmallOrder', layPoint(0, any)) !== 0).toBe(any.isSmallOrder());
    }),
    { numRuns: 100 },
  );
  for (const small of SMALL_POINTS) expect(callPart('isOfSmallOrder', layPoint(0, small))).toBe(1);
  expect(callPart('isOfSmallOrder', constantOffset('BASE_POINT'))).toBe(0);
});

test('behavior: only valid point encodings are decoded, and to the right point', () => {
  const near = fc.oneof(fc.bigInt(0n, 60n), fc.bigInt(PRIME - 60n, 2n ** 255n - 1n));
  const y = fc.oneof(near, fc.bigInt(0n, 2n ** 255n - 1n));
  const bytes = fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(y, fc.boolean())
        .map(([low, sign]) => toLittleEndian(low + (sign ? 2n ** 255n : 0n))),
    },
    { weight: 1, arbitrary: fc.constantFrom(...SMALL_ENCODINGS) },
  );
  fc.assert(
    fc.property(bytes, (encoding) => {
      const isRead = callPart('decodePoint', slot(0), laySlot(9, encoding)) !== 0;
      expect(isRead, bytesToHex(encoding)).toBe(isPoint(encoding));
      if (isRead) expect(encodingOf(slot(0))).toBe(bytesToHex(encoding));
    }),
    { numRuns: 3_000 },
  );
});

test('behavior: no y from the prime on is read, whatever its sign', () => {
  for (let y = PRIME; y < 2n ** 255n; y++) {
    for (const sign of [0n, 2n ** 255n]) {
      expect(callPart('decodePoint', slot(0), laySlot(9, toLittleEndian(y + sign)))).toBe(0);
    }
  }
});

test('behavior: of 14 encodings of the 8 points of small order, 8 are read', () => {
  const read = SMALL_ENCODINGS.filter(
    (encoding) => callPart('decodePoint', slot(0), laySlot(9, encoding)) !== 0,
  );
  const expected = SMALL_POINTS.map((small) => small.toHex());
  expect(new Set(read.map(bytesToHex))).toEqual(new Set(expected));
  expect(new Set(SMALL_ENCODINGS.map(bytesToHex)).size).toBe(14);
});
