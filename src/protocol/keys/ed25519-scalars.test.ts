import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  callPart,
  constantOffset,
  fromLittleEndian,
  laySlot,
  modulo,
  ORDER,
  readPart,
  slot,
  toLittleEndian,
} from './ed25519.testing.ts';

function reduce(value: bigint): bigint {
  callPart('reduce', slot(1), laySlot(0, toLittleEndian(value, 64)));
  return fromLittleEndian(readPart(slot(1)));
}

/** Numbers below a power of 2 whose limbs are often all zeros or all ones. */
function numberBelow(bits: number): fc.Arbitrary<bigint> {
  const limb = fc.oneof(fc.constantFrom(0n, 1n, 0xffffffffn, 0xfffffffen), fc.bigInt(0n, 0xffffffffn));
  const joined = fc
    .array(limb, { minLength: bits / 32, maxLength: bits / 32 })
    .map((limbs) => limbs.reduce((value, next) => (value << 32n) | next, 0n));
  return fc.oneof(joined, fc.bigInt(0n, 2n ** BigInt(bits) - 1n));
}

test('default: the remainder by the order', () => {
  fc.assert(
    fc.property(numberBelow(512), (value) => {
      expect(reduce(value)).toBe(value % ORDER);
    }),
    { numRuns: 5_000 },
  );
});

test('behavior: multiples of the order and their neighbours', () => {
  const greatest = (2n ** 512n - 1n) / ORDER;
  const quotients = fc.oneof(
    fc.bigInt(0n, greatest),
    fc.bigInt(0n, 20n),
    fc.bigInt(greatest - 20n, greatest - 1n),
    fc.nat(258).map((bit) => 2n ** BigInt(bit)),
  );
  fc.assert(
    fc.property(quotients, fc.bigInt(-3n, 3n), (quotient, neighbour) => {
      const value = quotient * ORDER + neighbour;
      if (value >= 0n) expect(reduce(value)).toBe(modulo(neighbour, ORDER));
    }),
    { numRuns: 5_000 },
  );
  expect(reduce(2n ** 512n - 1n)).toBe((2n ** 512n - 1n) % ORDER);
});

test('behavior: the remainder may lie over the number', () => {
  callPart('reduce', slot(0), laySlot(0, toLittleEndian(2n ** 512n - 1n, 64)));
  expect(fromLittleEndian(readPart(slot(0)))).toBe((2n ** 512n - 1n) % ORDER);
});

test('behavior: products and sums of any 32 bytes', () => {
  const ones = 2n ** 256n - 1n;
  const cases = fc.oneof(
    fc.tuple(numberBelow(256), numberBelow(256), numberBelow(256)),
    fc.constant([ones, ones, ones] as const),
  );
  fc.assert(
    fc.property(cases, ([factor, other, summand]) => {
      const offsets = [factor, other, summand].map((value, index) => laySlot(index, toLittleEndian(value)));
      callPart('multiplyAdd', slot(3), ...offsets);
      expect(fromLittleEndian(readPart(slot(3)))).toBe((factor * other + summand) % ORDER);
    }),
    { numRuns: 3_000 },
  );
});

test('behavior: isBelowOrder is true exactly for numbers below the order', () => {
  const near = fc.bigInt(-300n, 300n).map((difference) => ORDER + difference);
  fc.assert(
    fc.property(fc.oneof(near, numberBelow(256)), (value) => {
      expect(callPart('isBelowOrder', laySlot(0, toLittleEndian(value)))).toBe(value < ORDER ? 1 : 0);
    }),
    { numRuns: 2_000 },
  );
});

test('behavior: the constants have their defined values', () => {
  expect(fromLittleEndian(readPart(constantOffset('ORDER')))).toBe(ORDER);
  expect(fromLittleEndian(readPart(constantOffset('RECIPROCAL_OF_ORDER'), 36))).toBe(2n ** 512n / ORDER);
});
