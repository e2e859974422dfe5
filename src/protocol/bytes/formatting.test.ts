import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { paddedData, quantity, toPrefixedHex } from '../index.ts';

describe('quantity', () => {
  test('default', () => {
    expect(quantity(0)).toBe('0x0');
    expect(quantity(20)).toBe('0x14');
    expect(quantity(2n ** 256n - 1n)).toBe(`0x${'f'.repeat(64)}`);
  });

  test('behavior: no leading zeros, and the value is preserved', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n }), (value) => {
        expect(quantity(value)).toMatch(/^0x(0|[1-9a-f][0-9a-f]*)$/);
        expect(BigInt(quantity(value))).toBe(value);
      }),
    );
  });

  test('error: negative, fractional or unsafe numbers', () => {
    for (const value of [-1, 1.5, 2 ** 53, Number.NaN, -1n]) {
      expect(() => quantity(value)).toThrow('a quantity is a whole number of at least zero');
    }
  });
});

describe('toPrefixedHex', () => {
  test('default', () => {
    expect(toPrefixedHex(Uint8Array.of(0, 10, 255))).toBe('0x000aff');
  });

  test('behavior: no bytes are 0x', () => {
    expect(toPrefixedHex(new Uint8Array())).toBe('0x');
  });
});

describe('paddedData', () => {
  test('default', () => {
    expect(paddedData(Uint8Array.of(1, 2))).toBe(`0x${'00'.repeat(30)}0102`);
  });

  test('error: more than 32 bytes', () => {
    expect(() => paddedData(new Uint8Array(33))).toThrow('at most 32 bytes');
  });
});
