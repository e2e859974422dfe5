import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accountAddress,
  accountId,
  addressCodec,
  bytesToHex,
  type Codec,
  compareBytes,
  contractAddress,
  contractId,
  DecodeError,
  decode,
  encode,
  FormatError,
  feePayer,
  fromJson,
  hashCodec,
  hexToBytes,
  InvariantError,
  int64,
  invariant,
  isTestOperation,
  isVirtual,
  LedgerdError,
  map,
  mapped,
  type Operation,
  operationCodec,
  optional,
  set,
  string,
  struct,
  toJson,
  uint32,
  uint64,
  variableBytes,
  varint,
} from '../index.ts';
import { operations } from '../structures.testing.ts';
import { fixedBytes, uint8, uint16, uint64Text } from './scalars.ts';
import { variant } from './structures.ts';

interface Example {
  readonly firstPart: number;
  readonly secondPart?: string | undefined;
}
const exampleCodec = struct<Example>('example', { firstPart: uint16, secondPart: optional(string) });

describe('numbers', () => {
  test('default: little endian', () => {
    expect(encode(uint8, 1)).toEqual(Uint8Array.of(1));
    expect(encode(uint16, 0x0102)).toEqual(Uint8Array.of(2, 1));
    expect(encode(uint32, 0x01020304)).toEqual(Uint8Array.of(4, 3, 2, 1));
    expect(encode(uint64, 0x0102030405060708n)).toEqual(Uint8Array.of(8, 7, 6, 5, 4, 3, 2, 1));
    expect(encode(int64, -2n)).toEqual(Uint8Array.of(254, 255, 255, 255, 255, 255, 255, 255));
  });

  test('behavior: 64-bit integers survive a round trip through bytes and JSON', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (value) => {
        const signed = value - 2n ** 63n;
        expect(decode(uint64, encode(uint64, value))).toBe(value);
        expect(decode(int64, encode(int64, signed))).toBe(signed);
        expect(fromJson(uint64, toJson(uint64, value))).toBe(value);
        expect(fromJson(int64, toJson(int64, signed))).toBe(signed);
      }),
    );
  });

  test('behavior: JSON uses a number if it is exact', () => {
    expect(toJson(uint64, 3000n)).toBe(3000);
    expect(toJson(uint64, 2n ** 53n)).toBe('9007199254740992');
    expect(toJson(uint64Text, 0n)).toBe('0');
  });

  test.each<[value: number, bytes: number[]]>([
    [0, [0]],
    [127, [127]],
    [128, [128, 1]],
    [2 ** 32, [128, 128, 128, 128, 16]],
    [Number.MAX_SAFE_INTEGER, [255, 255, 255, 255, 255, 255, 255, 15]],
  ])('default: varint %d', (value, bytes) => {
    expect([...encode(varint, value)]).toEqual(bytes);
    expect(decode(varint, Uint8Array.from(bytes))).toBe(value);
  });

  test('behavior: varints survive a round trip', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        expect(decode(varint, encode(varint, value))).toBe(value);
      }),
    );
  });

  test.each(['80808080808080 10', '80808080808080ff01', 'ffffffffffffff7f'])('error: varint %s', (hex) => {
    expect(() => decode(varint, hexToBytes(hex.replace(' ', '')))).toThrow(DecodeError);
  });

  test.each([-1, 256, 0.5, Number.NaN])('error: %d is no uint8', (value) => {
    expect(() => encode(uint8, value)).toThrow('uint8: must be an integer of 0 to 255');
    expect(() => fromJson(uint8, value, 'attempt')).toThrow(/^attempt: /);
  });
});

describe('structures', () => {
  test('default: camel case in memory, snake case in JSON', () => {
    const value: Example = { firstPart: 1, secondPart: 'a' };
    expect(toJson(exampleCodec, value)).toStrictEqual({ first_part: 1, second_part: 'a' });
    expect(fromJson(exampleCodec, { first_part: 1, second_part: 'a' })).toStrictEqual(value);
    expect([...encode(exampleCodec, value)]).toEqual([1, 0, 1, 1, 97]);
  });

  test('behavior: an absent value has no property', () => {
    expect(decode(exampleCodec, Uint8Array.of(1, 0, 0))).toStrictEqual({ firstPart: 1 });
    expect(toJson(exampleCodec, { firstPart: 1, secondPart: undefined })).toStrictEqual({ first_part: 1 });
    expect(fromJson(exampleCodec, { first_part: 1 })).toStrictEqual({ firstPart: 1 });
  });

  test('error: null is not absent', () => {
    const json = { first_part: 1, second_part: null };
    expect(() => fromJson(exampleCodec, json)).toThrow('example.second_part: must be a string');
  });

  test('behavior: inherited properties are not read', () => {
    const json = Object.create({ first_part: 1 });
    expect(() => fromJson(exampleCodec, json)).toThrow('example.first_part: must be an integer');
  });

  test('default: sets, maps and bytes', () => {
    const numbers = set(uint8, (left, right) => left - right);
    expect([...encode(numbers, [3, 1, 2])]).toEqual([3, 1, 2, 3]);
    expect(() => encode(numbers, [1, 1])).toThrow('set[1]: repeated key');
    expect(() => decode(numbers, Uint8Array.of(2, 2, 1))).toThrow('set[1] at byte 2: keys are not sorted');
    const names = map(fixedBytes(1), string, compareBytes);
    expect([
      ...encode(names, [
        [Uint8Array.of(2), 'b'],
        [Uint8Array.of(1), 'a'],
      ]),
    ]).toEqual([2, 1, 1, 97, 2, 1, 98]);
    expect(fromJson(variableBytes, toJson(variableBytes, Uint8Array.of(1, 255)))).toEqual(
      Uint8Array.of(1, 255),
    );
    expect(decode(variableBytes, Uint8Array.of(2, 1, 255))).toEqual(Uint8Array.of(1, 255));
    expect(() => fromJson(variableBytes, 'abc')).toThrow(FormatError);
    expect(() => fromJson(hashCodec, 'AB'.repeat(32))).toThrow('hash: must be 64 lower-case hex digits');
    expect(() => encode(addressCodec, new Uint8Array(19) as never)).toThrow('address: must be 20 bytes');
  });

  test('error: two alternatives with one number', () => {
    const body = mapped(
      uint8,
      (value) => ({ type: 'one' as const, value }),
      ({ value }) => value,
    );
    const other = body as unknown as Codec<{ type: 'two' }>;
    expect(() =>
      variant<{ type: 'one'; value: number } | { type: 'two' }>('pair', { one: [1, body], two: [1, other] }),
    ).toThrow(InvariantError);
  });

  test('behavior: a codec may encode while it is encoding', () => {
    const nested = mapped(
      variableBytes,
      (bytes) => decode(string, bytes),
      (text) => encode(string, text),
    );
    expect([...encode(nested, 'a')]).toEqual([2, 1, 97]);
    expect(decode(nested, Uint8Array.of(2, 1, 97))).toBe('a');
  });

  test('behavior: long texts grow the buffer, and short ones follow', () => {
    const text = 'é'.repeat(400_000);
    expect(decode(string, encode(string, text))).toBe(text);
    expect([...encode(string, 'a')]).toEqual([1, 97]);
  });
});

describe('errors', () => {
  test('default', () => {
    const error = new DecodeError('header.round', 3, 'needs 8 bytes, 1 are left');
    expect(error).toBeInstanceOf(LedgerdError);
    expect(error.message).toBe('header.round at byte 3: needs 8 bytes, 1 are left');
    expect(() => invariant(true, 'holds')).not.toThrow();
    expect(() => invariant(0, 'the sum of all balances changed')).toThrow('the sum of all balances changed');
  });
});

describe('operations', () => {
  test('default: the bytes and the JSON of a test call', () => {
    const [caller, to] = [contractAddress(contractId(5)), accountAddress(accountId(26))];
    const call: Operation = {
      type: 'testCall',
      caller,
      to,
      value: 7n,
      data: Uint8Array.of(1, 255),
      gas: 300n,
    };
    const [callerDigits, toDigits] = [`01${'00'.repeat(18)}05`, `${'00'.repeat(19)}1a`];
    expect(bytesToHex(encode(operationCodec, call))).toBe(
      `81fe01 14${callerDigits} 01 14${toDigits} 0700000000000000 0201ff 2c01000000000000`.replaceAll(
        ' ',
        '',
      ),
    );
    expect(toJson(operationCodec, call)).toEqual([
      32_513,
      { caller: callerDigits, to: toDigits, value: 7, data: '01ff', gas: 300 },
    ]);
  });

  test('behavior: virtual ones and test calls have no payer, the others have', () => {
    fc.assert(
      fc.property(operations, (operation) => {
        expect(feePayer(operation) === undefined).toBe(isVirtual(operation) || isTestOperation(operation));
        const json = toJson(operationCodec, operation) as [number, Record<string, unknown>];
        const payer = json[1].from ?? json[1].registrar ?? json[1].account ?? json[1].owner;
        expect(feePayer(operation)).toBe(
          payer === undefined ? undefined : Number(String(payer).split('.')[2]),
        );
      }),
    );
  });
});
