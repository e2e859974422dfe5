import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { METHODS } from '../index.ts';
import { blockSelectorSchema, ignoredBlockSchema } from './block.ts';
import { addressSchema, dataSchema, hashSchema } from './bytes.ts';
import { blockOverridesSchema, stateOverridesSchema } from './overrides.ts';
import { flagSchema } from './plain.ts';
import { quantitySchema } from './quantity.ts';
import { quickReaderOf, UNCOMMON } from './quick-reader.ts';
import { callRequestSchema } from './transaction.ts';

const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  blockSelectorSchema,
  ignoredBlockSchema,
  addressSchema,
  dataSchema,
  hashSchema,
  flagSchema,
  quantitySchema,
  callRequestSchema,
  stateOverridesSchema,
  blockOverridesSchema,
};

/** Hexadecimal text of the sizes that matter, now and then with something wrong. */
const hex = fc
  .tuple(
    fc.constantFrom('0x', '0x', '0x', '0x', '0X', '', '-0x'),
    fc.oneof(fc.constantFrom(0, 1, 2, 39, 40, 41, 63, 64, 65, 66, 128, 130), fc.nat(140)),
    fc.constantFrom('0', 'a', 'F', '1', '0', 'g', '\u0130', ' '),
    fc.constantFrom('', '', '', '', 'x', 'ä', '\n'),
  )
  .map(([prefix, digits, digit, tail]) => `${prefix}${'9b'.repeat(70).slice(0, digits)}${digit}${tail}`);

const scalar = fc.oneof(
  hex,
  fc.constantFrom(
    'latest',
    'pending',
    'earliest',
    'safe',
    '',
    '0x',
    '0x0',
    '0x00',
    null,
    undefined,
    true,
    false,
  ),
  fc.constantFrom(0, -0, 1, -1, 1.5, 2 ** 53, 2 ** 53 - 1, 1e21, Number.POSITIVE_INFINITY, Number.NaN),
  fc.integer(),
  fc.double(),
  fc.jsonValue(),
);

const fieldNames = ['from', 'to', 'gas', 'value', 'data', 'input', 'chainId', 'type', 'nonce', 'gasPrice'];
const field = fc.oneof(fc.constantFrom(...fieldNames), fc.constantFrom('accessList', 'unknown', '__proto__'));
const address = fc.constantFrom(`0x${'0a'.repeat(20)}`, `0x${'FF'.repeat(20)}`);
const callObject = fc
  .array(fc.tuple(field, fc.oneof(address, address, hex, scalar)), { maxLength: 5 })
  .map((entries) => parsedObject(entries));

/** An object as `JSON.parse` makes it, with `__proto__` as a key of its own. */
function parsedObject(entries: readonly (readonly [string, unknown])[]): unknown {
  const members = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value) ?? 'null'}`);
  return JSON.parse(`{${members.join(',')}}`);
}

/** What a quick reader makes of a value, which must be what the schema makes of it; whether it is common. */
function compare(schema: z.ZodType, value: unknown): boolean {
  const reader = quickReaderOf(schema);
  const read = reader === undefined ? UNCOMMON : reader(value);
  if (read === UNCOMMON) return false;
  const parsed = schema.safeParse(value);
  expect(parsed).toStrictEqual({ success: true, data: read });
  return true;
}

describe.each(Object.entries(SCHEMAS))('%s', (_name, schema) => {
  test('behavior: the quick reader agrees with the schema', () => {
    fc.assert(
      fc.property(fc.oneof(scalar, callObject), (value) => {
        compare(schema, value);
      }),
      { numRuns: 2_000 },
    );
  });
});

test.each([
  ['blockSelectorSchema', ['latest', 'pending', 'earliest', '0x1f4', '0x0', 500, 0]],
  ['ignoredBlockSchema', ['latest', '0x5', undefined]],
  ['stateOverridesSchema', [undefined]],
  ['blockOverridesSchema', [undefined]],
  ['addressSchema', [`0x${'ab'.repeat(20)}`, `0x${'AB'.repeat(20)}`]],
  ['dataSchema', ['0x', '0xff', `0x${'70a08231'.repeat(40)}`]],
  ['hashSchema', [`0x${'ab'.repeat(32)}`]],
  ['flagSchema', [true, false]],
  ['quantitySchema', ['0x0', '0x00ff', 12]],
  [
    'callRequestSchema',
    [
      {},
      { to: `0x${'ab'.repeat(20)}`, data: '0x70a08231' },
      { from: `0x${'ab'.repeat(20)}`, input: '0x', gas: 5 },
    ],
  ],
])('default: %s has a quick reader for what is common', (name, values) => {
  for (const value of values) {
    const schema = SCHEMAS[name];
    expect(schema !== undefined && compare(schema, value)).toBe(true);
  }
});

test('behavior: parameters of reads have quick readers', () => {
  for (const name of ['eth_call', 'eth_getBalance', 'eth_getBlockByNumber', 'eth_getTransactionReceipt']) {
    for (const { schema } of METHODS.get(name)?.parameters ?? []) expect(quickReaderOf(schema)).toBeDefined();
  }
});
