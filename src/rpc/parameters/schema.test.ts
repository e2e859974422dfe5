import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { schemaChecker } from '../../../test/openrpc/meta-schema.ts';
import type { SchemaComponents } from '../../json/schema.ts';
import { toHash } from '../../protocol/index.ts';
import { METHODS } from '../index.ts';
import { InvalidParametersError } from '../rpc-errors.ts';
import type { LogRequest } from './log-options.ts';
import { boundedQuantity, quantitySchema } from './plain.ts';
import { addressSchema, explained, mapped, named, optional, refusal, type Schema } from './schema.ts';
import { arrayOf, entriesOf, objectOf, oneOrMore } from './structures.ts';

const PLACE = { within: undefined, key: 'parameter 1 (x)' };
const ADDRESS = `0x${'ab'.repeat(20)}`;

/** Reads a value by a schema; returns it, or the message of its error. */
function read(schema: Schema<unknown>, value: unknown): unknown {
  try {
    return schema.read(value, PLACE);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidParametersError);
    return Object(error).message;
  }
}

function describeAlone(schema: Schema<unknown>): readonly [described: unknown, components: unknown] {
  const components: SchemaComponents = new Map();
  return [schema.describe(components), Object.fromEntries(components)];
}

describe('objectOf', () => {
  const schema = objectOf({ size: quantitySchema, most: optional(boundedQuantity(9, 'things'), 4) });

  test('default', () => {
    expect(read(schema, { size: 5 })).toEqual({ size: 5n, most: 4 });
    expect(read(schema, { most: '0x7', size: 5 })).toEqual({ size: 5n, most: 7 });
    expect(read(schema, { most: null, size: 5 })).toEqual({ size: 5n, most: 4 });
  });

  test('behavior: unknown keys that are ignored', () => {
    expect(read(objectOf({}, 'ignored'), JSON.parse('{"a":1,"__proto__":{"b":2}}'))).toEqual({});
  });

  test.each([
    [[], 'expected an object, got an array'],
    [{ size: 1, colour: 2 }, 'unknown key "colour"'],
    [JSON.parse('{"size":1,"__proto__":2}'), 'unknown key "__proto__"'],
    [{ size: 1, most: 10 }, 'most: expected at most 9 things, got 10'],
    [{}, 'size: expected a QUANTITY (0x-prefixed hex or a whole number), got nothing'],
  ])('error: %j', (value, problem) => {
    expect(read(schema, value)).toBe(`invalid parameter 1 (x): ${problem}`);
  });
});

describe('value paths in error messages', () => {
  const size = objectOf({ size: quantitySchema });

  test.each<[Schema<unknown>, unknown, RegExp]>([
    [arrayOf(size), [{ size: 1 }, { size: -1 }], /\(x\): 1\.size: expected/],
    [
      oneOrMore(size, { most: 2, unit: 'sizes' }),
      [{ size: 1 }, { size: -1 }],
      /\(x\): entry 1\.size: expected/,
    ],
    [oneOrMore(size, { most: 2, unit: 'sizes' }), { size: -1 }, /\(x\): size: expected/],
    [oneOrMore(size, { most: 1, unit: 'sizes' }), [{}, {}], /\(x\): expected at most 1 sizes, got 2/],
    [arrayOf(arrayOf(quantitySchema)), [[], [0, 'x']], /\(x\): 1\.1: expected/],
    [entriesOf(addressSchema, size), { [ADDRESS]: { size: -1 } }, /\(x\): 0x(ab){20}\.size: expected/],
    [entriesOf(addressSchema, size), { ['x'.repeat(500)]: {} }, /\(x\): x{64}…: expected 20 bytes/],
  ])('error: %#', (schema, value, message) => {
    expect(read(schema, value)).toMatch(message);
  });
});

test('behavior: a mapping function can reject a value', () => {
  const even = mapped(quantitySchema, (value, place) => {
    if (value % 2n === 0n) return value / 2n;
    throw refusal(place, 'expected an even number');
  });
  expect(read(even, 6)).toBe(3n);
  expect(read(arrayOf(even), [2, 3])).toBe('invalid parameter 1 (x): 1: expected an even number');
});

test('behavior: a named schema becomes a component, and annotations wrap its reference', () => {
  const schema = named('Size', { title: 'size' }, mapped(quantitySchema, Number));
  const component = { Size: { title: 'size', allOf: [{ $ref: '#/components/schemas/QuantityParameter' }] } };
  expect(describeAlone(schema)).toEqual([
    { $ref: '#/components/schemas/Size' },
    { ...component, QuantityParameter: expect.any(Object) },
  ]);
  expect(describeAlone(explained(optional(schema), { description: 'Or not.' }))[0]).toEqual({
    description: 'Or not.',
    anyOf: [{ $ref: '#/components/schemas/Size' }, { type: 'null' }],
  });
});

test('behavior: logs are requested by block hash or by range, not by both', () => {
  const match = { addresses: [], topics: [] };
  const blockHash = toHash(new Uint8Array(32));
  const requests: LogRequest[] = [
    { ...match, blockHash },
    { ...match, fromBlock: 1n, toBlock: 'latest' },
    // @ts-expect-error a range beside the hash of a block
    { ...match, blockHash, fromBlock: 1n, toBlock: 'latest' },
    // @ts-expect-error half a range
    { ...match, fromBlock: 1n },
  ];
  expect(requests).toHaveLength(4);
});

/** Hexadecimal text of the sizes that matter, now and then with something wrong. */
const hex = fc
  .tuple(
    fc.constantFrom('0x', '0x', '0x', '0x', '0X', '', '-0x'),
    fc.oneof(fc.constantFrom(0, 1, 2, 39, 40, 41, 63, 64, 65, 66, 128, 130), fc.nat(140)),
    fc.constantFrom('', '', '', '', 'x', 'ä', '\n', '\u0130', ' '),
  )
  .map(([prefix, digits, tail]) => `${prefix}${'9b'.repeat(70).slice(0, digits)}${tail}`);

const scalar = fc.oneof(
  hex,
  fc.constantFrom('latest', 'pending', 'earliest', 'safe', '', '{}', null, undefined, true, false),
  fc.constantFrom(0, -0, 1, -1, 1.5, 2 ** 53, 2 ** 53 - 1, 1e21, Number.POSITIVE_INFINITY),
  fc.jsonValue(),
);

const fieldNames = fc.constantFrom(
  ...['from', 'to', 'gas', 'value', 'data', 'input', 'chainId', 'type', 'accessList', 'authorizationList'],
  ...[
    'fromBlock',
    'toBlock',
    'address',
    'topics',
    'blockhash',
    'blockHash',
    'blockNumber',
    'timestamp',
    'blocks',
  ],
  ...[
    'balance',
    'nonce',
    'code',
    'state',
    'stateDiff',
    'movePrecompileToAddress',
    'number',
    'time',
    'random',
  ],
  ...['baseFee', 'blobBaseFee', 'types', 'primaryType', 'domain', 'message', '__proto__', ADDRESS, '0x0'],
);

/** Anything, mostly with fields that mean something. */
const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, scalar, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.array(fc.tuple(fieldNames, tie('value')), { maxLength: 4 }).map(parsedObject),
}));

/** An object as `JSON.parse` makes it, with `__proto__` as a key of its own. */
function parsedObject(entries: readonly (readonly [string, unknown])[]): unknown {
  const members = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value) ?? 'null'}`);
  return JSON.parse(`{${members.join(',')}}`);
}

const parameters = [...METHODS].flatMap(([method, definition]) =>
  definition.parameters.map(({ name, schema }) => [`${method} ${name}`, schema] as const),
);
const schemas = new Map(parameters.map(([name, schema]) => [schema, name]));

test.each([...schemas].map(([schema, name]) => [name, schema] as const))(
  'behavior: what is read fits its description: %s',
  (_name, schema) => {
    const components: SchemaComponents = new Map();
    const described = schema.describe(components);
    const check = schemaChecker().compile({
      ...described,
      components: { schemas: Object.fromEntries(components) },
    });
    const isRead = (value: unknown): boolean => {
      try {
        schema.read(value, PLACE);
        return true;
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidParametersError);
        return false;
      }
    };
    expect(isRead(undefined)).toBe(schema.isOptional === true);
    fc.assert(
      fc.property(anything, (value) => {
        if (value === undefined || !isRead(value)) return;
        expect([value, check(value), check.errors]).toEqual([value, true, null]);
      }),
      { numRuns: 300 },
    );
  },
);
