import { describe, expect, test } from 'vitest';
import { formatJson, parseJson } from '../client/json.ts';
import { addressOf, identifierOf, pendingForm, shortHash, withChecksum } from './identifiers.ts';
import { amountText, byteText, fixedPoint, shortAmount } from './numbers.ts';
import { shownText } from './shown-text.ts';
import { ageText, momentText } from './times.ts';

describe('identifiers', () => {
  test.each([
    ['1.2.1024', `0x${'0'.repeat(37)}400`],
    ['1.2.1', `0x${'0'.repeat(39)}1`],
    ['1.11.0', `0x01${'0'.repeat(38)}`],
    ['1.11.255', `0x01${'0'.repeat(36)}ff`],
  ])('args: %s', (identifier, address) => {
    expect(addressOf(identifier)).toBe(address);
    expect(identifierOf(address as `0x${string}`)).toBe(identifier);
  });

  test.each(['1.3.0', '1.2.', '1.2.x', '1.2.-1', '', '1.2.1.1'])('error: %s is none', (text) => {
    expect(addressOf(text)).toBeUndefined();
  });

  test.each([`0x${'0'.repeat(40)}`, `0x${'12'.repeat(20)}`, `0x02${'0'.repeat(38)}`] as const)(
    'error: %s is of no identifier',
    (address) => {
      expect(identifierOf(address)).toBeUndefined();
    },
  );

  test('behavior: an address is checksummed unless it was entered in mixed case', () => {
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    const wrong = address.replace('aA', 'Aa');
    expect(withChecksum(address.toLowerCase())).toBe(address);
    expect(withChecksum(`0x${address.slice(2).toUpperCase()}`)).toBe(address);
    expect([address, wrong, '1.2.5', 'a name'].map(withChecksum)).toEqual([
      address,
      wrong,
      '1.2.5',
      'a name',
    ]);
  });

  test('behavior: of a native hash the end is shown', () => {
    const hash = `0x00000000000000070000000${'1'.repeat(41)}` as const;
    expect(shortHash(hash)).toBe(`0x…${'1'.repeat(14)}`);
    expect(pendingForm(hash)).toBe(`0x${'0'.repeat(24)}${'1'.repeat(40)}`);
    expect(shortHash(`0x${'ab'.repeat(32)}`)).toBe('0xababab…ababab');
  });
});

describe('numbers', () => {
  test.each([
    [0n, '0'],
    [1n, '0.000000000000000001'],
    [10n ** 18n, '1'],
    [1_500n * 10n ** 15n, '1.5'],
    [-(10n ** 17n), '\u22120.1'],
    [1_234_567n * 10n ** 18n, '1\u202f234\u202f567'],
  ])('args: %s wei', (wei, text) => {
    expect(fixedPoint(wei, 18)).toBe(text);
  });

  test('args: amounts of both profiles', () => {
    expect(amountText(1n, 'ledger')).toBe('1 unit');
    expect(amountText(2_000n, 'ledger')).toBe('2\u202f000 units');
    expect(amountText(2n * 10n ** 18n, 'ethereum')).toBe('2 ETH');
    const small = [0n, 1n, 99_999n, 100_000n, 10n ** 9n, 10n ** 12n - 1n, 10n ** 12n, 10n ** 12n + 1n];
    expect(small.map((amount) => amountText(amount, 'ethereum'))).toEqual([
      '0 ETH',
      '1 wei',
      '99\u202f999 wei',
      '0.0001 gwei',
      '1 gwei',
      '999.999999999 gwei',
      '0.000001 ETH',
      '0.000001000000000001 ETH',
    ]);
    expect(['0.000001000000000001 ETH', '0.000000001 ETH', '1 wei'].map(shortAmount)).toEqual([
      '0.000001000… ETH',
      '0.000000001 ETH',
      '1 wei',
    ]);
    expect([0, 1_023, 1_024, 1_536, 3 * 2 ** 20].map(byteText)).toEqual([
      '0 B',
      '1023 B',
      '1 KiB',
      '1.5 KiB',
      '3 MiB',
    ]);
  });
});

describe('times', () => {
  test.each([
    [0, 'just now'],
    [-5, 'just now'],
    [-6, 'in 6\u202fs'],
    [5, '5\u202fs ago'],
    [61, '1\u202fmin ago'],
    [7_200, '2\u202fh ago'],
    [200_000, '2\u202fd ago'],
  ])('args: %s seconds', (seconds, text) => {
    expect(ageText(1_000_000 - seconds, 1_000_000)).toBe(text);
  });

  test('error: a moment that no calendar has', () => {
    expect(momentText(1_700_000_000)).toBe('2023-11-14 22:13:20 UTC');
    expect(momentText(1e300)).toBe('1e+300');
  });
});

test('behavior: bidirectional control characters are shown as code points, other text is unchanged', () => {
  expect(shownText('\u202Egnisrever\u202C <b>\u00e9\u05d0')).toBe(
    '\u27e8U+202E\u27e9gnisrever\u27e8U+202C\u27e9 <b>\u00e9\u05d0',
  );
});

describe('JSON', () => {
  test('behavior: integers within double precision parse as numbers, and the output is valid JSON', () => {
    expect(parseJson('{"a":[1,"12345678901234567890"]}')).toEqual({ a: [1, '12345678901234567890'] });
    expect(formatJson({ amount: 9_223_372_036_854_775_807n, name: '<b>' })).toBe(
      '{\n  "amount": 9223372036854775807,\n  "name": "<b>"\n}',
    );
    expect(formatJson(undefined)).toBe('null');
  });
});
