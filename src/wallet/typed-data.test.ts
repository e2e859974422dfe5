import fc from 'fast-check';
import { hashTypedData } from 'viem';
import { describe, expect, test } from 'vitest';
import { toPrefixedHex } from '../protocol/index.ts';
import { type TypedData, type TypedField, typedDataDigest } from './index.ts';

/** Typed data as JSON has it. */
interface Given {
  readonly types: Readonly<Record<string, readonly TypedField[]>>;
  readonly primaryType: string;
  readonly domain: Readonly<Record<string, unknown>>;
  readonly message: Readonly<Record<string, unknown>>;
}

const digestOf = ({ types, ...rest }: Given): string =>
  toPrefixedHex(typedDataDigest({ types: new Map(Object.entries(types)), ...rest } satisfies TypedData));

const COW = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826';
const BOB = '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB';
/** The example of EIP-712. */
const MAIL: Given = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: 1,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  message: {
    from: { name: 'Cow', wallet: COW },
    to: { name: 'Bob', wallet: BOB },
    contents: 'Hello, Bob!',
  },
};
const DIGEST = '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2';

test('default: the example of EIP-712', () => {
  expect(digestOf(MAIL)).toBe(DIGEST);
});

test('args: without the type of the domain', () => {
  const { EIP712Domain: _, ...types } = MAIL.types;
  expect(digestOf({ ...MAIL, types })).toBe(DIGEST);
});

const hex = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => toPrefixedHex(bytes));

/** A type and a value of it. */
type Typed = readonly [type: string, value: unknown];
const typed = (type: string, values: fc.Arbitrary<unknown>): fc.Arbitrary<Typed> =>
  values.map((value) => [type, value]);

const atom: fc.Arbitrary<Typed> = fc.oneof(
  typed('string', fc.string({ unit: 'grapheme' })),
  typed('bytes', fc.integer({ min: 0, max: 70 }).chain(hex)),
  typed('bool', fc.boolean()),
  typed('address', hex(20)),
  fc.integer({ min: 1, max: 32 }).chain((size) => typed(`bytes${size}`, hex(size))),
  fc
    .integer({ min: 1, max: 32 })
    .chain((bytes) =>
      fc.oneof(
        typed(`uint${8 * bytes}`, fc.bigInt({ min: 0n, max: 2n ** BigInt(8 * bytes) - 1n }).map(String)),
        typed(
          `int${8 * bytes}`,
          fc
            .bigInt({ min: -(2n ** BigInt(8 * bytes - 1)), max: 2n ** BigInt(8 * bytes - 1) - 1n })
            .map(String),
        ),
      ),
    ),
);
const list: fc.Arbitrary<Typed> = atom.chain(([type, value]) =>
  fc.oneof(
    fc.integer({ min: 0, max: 3 }).map((count): Typed => [`${type}[]`, new Array(count).fill(value)]),
    fc.constant<Typed>([`${type}[2][]`, [[value, value]]]),
  ),
);

/** A structure with such fields, and one around it that has it alone, and several times. */
const given = fc.array(fc.oneof(atom, list), { minLength: 1, maxLength: 6 }).map((fields): Given => {
  const named = fields.map(([type, value], index) => ({ name: `field${index}`, type, value }));
  const value = Object.fromEntries(named.map((field) => [field.name, field.value]));
  return {
    types: {
      Outer: [
        { name: 'one', type: 'Inner' },
        { name: 'many', type: 'Inner[]' },
      ],
      Inner: named.map(({ name, type }) => ({ name, type })),
    },
    primaryType: 'Outer',
    domain: { name: 'any', version: '1', chainId: 255 },
    message: { one: value, many: [value, value] },
  };
});

test('behavior: the digest that viem computes', () => {
  fc.assert(
    fc.property(given, (data) => {
      // The types of viem follow from literal types, which these are not.
      expect(digestOf(data)).toBe(hashTypedData(data as never));
    }),
    { numRuns: 200 },
  );
});

describe('invalid typed data', () => {
  const single = (type: string, value: unknown): Given => ({
    types: { T: [{ name: 'a', type }] },
    primaryType: 'T',
    domain: {},
    message: value === undefined ? {} : { a: value },
  });

  test.each<[string, unknown, string]>([
    ['uint8', 256, 'message.a: expected a number of type uint8'],
    ['int8', '-129', 'message.a: expected a number of type int8'],
    ['uint256', -1, 'message.a: expected a number of type uint256'],
    ['uint256', 1.5, 'message.a: expected a number of type uint256'],
    ['uint256', 'one', 'message.a: expected a number of type uint256'],
    ['uint7', 1, 'message.a: expected a type that is known, not "uint7"'],
    ['bytes33', '0x', 'message.a: expected a type that is known, not "bytes33"'],
    ['Nothing', {}, 'message.a: expected a type that is known, not "Nothing"'],
    ['bytes2', '0x01', 'message.a: expected bytes2'],
    ['bytes', 'x', 'message.a: expected bytes as 0x-prefixed hex'],
    ['address', '0x01', 'message.a: expected an address'],
    ['bool', 'true', 'message.a: expected true or false'],
    ['string', 5, 'message.a: expected a string'],
    ['string', undefined, 'message.a: expected a value of type string'],
    ['string[]', 'x', 'message.a: expected an array'],
    ['string[2]', ['x'], 'message.a: expected an array of 2'],
    ['string[]', ['x', 7], 'message.a[1]: expected a string'],
    ['T', null, 'message.a: expected an object'],
  ])('error: %s: %j', (type, value, message) => {
    expect(() => digestOf(single(type, value))).toThrow(`invalid typed data: ${message}`);
  });

  test('error: a primary type that is not defined', () => {
    expect(() => digestOf({ ...MAIL, primaryType: 'constructor' })).toThrow(
      'invalid typed data: message: expected a type that is defined, not "constructor"',
    );
  });
});
