import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bytesToHex,
  compareBytes,
  concatBytes,
  equalBytes,
  FormatError,
  hexToBytes,
  toAddress,
  toPrefixedHex,
  utf8ToBytes,
} from '../index.ts';
import { base58ToBytes, bytesToBase58 } from './base58.ts';
import { bytesToUtf8 } from './bytes.ts';

describe('hex', () => {
  test('default', () => {
    expect(bytesToHex(Uint8Array.of(0, 0xab, 255))).toBe('00abff');
    expect(toPrefixedHex(Uint8Array.of(0, 0xab, 255))).toBe('0x00abff');
    expect(hexToBytes('00aBfF')).toStrictEqual(Uint8Array.of(0, 0xab, 255));
    expect(hexToBytes('')).toHaveLength(0);
  });

  test('behavior: there and back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const hex = bytesToHex(bytes);
        expect(hex).toBe(Buffer.from(bytes).toString('hex'));
        expect(hexToBytes(hex)).toEqual(bytes);
        expect(hexToBytes(hex.toUpperCase())).toEqual(bytes);
      }),
    );
  });

  test('behavior: only hex digits are accepted, at any length', () => {
    fc.assert(
      fc.property(
        fc.nat(80),
        fc.nat(),
        fc.string({ minLength: 1, maxLength: 1 }),
        (bytes, place, character) => {
          const position = place % (2 * bytes + 2);
          const text = `${'a'.repeat(position)}${character}${'F'.repeat(2 * bytes + 1 - position)}`;
          if (/^[0-9a-f]+$/i.test(text)) expect(hexToBytes(text)).toHaveLength(bytes + 1);
          else expect(() => hexToBytes(text)).toThrow(FormatError);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test.each(['0', 'abc', 'zz', '0x', '00 1', '0g', '١١', '00\u0130\u0130'])('error: %j', (text) => {
    expect(() => hexToBytes(text, 'code')).toThrow(FormatError);
    expect(() => hexToBytes(text, 'code')).toThrow(/^code: /);
  });
});

describe('bytes', () => {
  test('default: concatBytes, equalBytes', () => {
    expect(concatBytes(Uint8Array.of(1), Uint8Array.of(), Uint8Array.of(2, 3))).toEqual(
      Uint8Array.of(1, 2, 3),
    );
    expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe(true);
    expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false);
    expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1))).toBe(false);
  });

  test('behavior: compareBytes orders as the platform does', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3 }), fc.uint8Array({ maxLength: 3 }), (left, right) => {
        expect(Math.sign(compareBytes(left, right))).toBe(Buffer.compare(left, right));
      }),
    );
  });

  test('default: UTF-8', () => {
    expect(bytesToUtf8(utf8ToBytes('\ufeffé€😀'))).toBe('\ufeffé€😀');
    expect(bytesToUtf8(Uint8Array.of(0xff))).toBeUndefined();
    // An overlong encoding of a slash.
    expect(bytesToUtf8(Uint8Array.of(0xc0, 0xaf))).toBeUndefined();
  });

  test('error: an address of another length', () => {
    expect(() => toAddress(new Uint8Array(21))).toThrow('address: expected 20 bytes, not 21');
  });
});

describe('base58', () => {
  test('default', () => {
    // Example of draft-msporny-base58-03, section 5.
    expect(bytesToBase58(utf8ToBytes('Hello World!'))).toBe('2NEpo7TZRRrLZSi2U');
    expect(bytesToBase58(Uint8Array.of(0, 0, 0x28, 0x7f, 0xb4, 0xcd))).toBe('11233QC4');
    expect(bytesToBase58(Uint8Array.of())).toBe('');
    expect(bytesToBase58(Uint8Array.of(0, 0))).toBe('11');
  });

  test('behavior: there and back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(base58ToBytes(bytesToBase58(bytes), bytes.length)).toEqual(bytes);
      }),
    );
  });

  test.each<[what: string, text: string]>([
    ['one leading zero too few', '1233QC4'],
    ['one leading zero too many', '111233QC4'],
    ['a character outside the alphabet', '11233QC0'],
    ['a number that is too great', 'zzzzzzzzz'],
    ['a text that is much too long', '1'.repeat(100_000)],
    ['nothing', ''],
  ])('error: %s', (_, text) => {
    expect(() => base58ToBytes(text, 6, 'key')).toThrow(FormatError);
    expect(() => base58ToBytes(text, 6, 'key')).toThrow(/^key: /);
  });
});
