import fc from 'fast-check';
import { encodeAbiParameters } from 'viem';
import { describe, expect, test } from 'vitest';
import {
  ABI_DEPTH_MAX,
  ABI_PARAMETERS_MAX,
  ABI_VALUES_MAX,
  AbiError,
  type AbiValue,
  decodedOrNone,
  decodeParameters,
  readParameters,
} from './index.ts';
import { sample } from './samples.testing.ts';

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;
const bytesOf = (digits: string): Uint8Array => Buffer.from(digits, 'hex');

/** A value of viem's as ours. */
function ours(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ours);
  return typeof value === 'string' ? value.toLowerCase() : value;
}

/** A value of ours, bytes in hexadecimal. */
function plain(value: AbiValue): unknown {
  if (value instanceof Uint8Array) return hex(value);
  if (typeof value === 'string') return value.toLowerCase();
  return typeof value === 'object' ? value.map(plain) : value;
}

describe('decodeParameters', () => {
  test('behavior: decodes values encoded by viem in the same way as viem', () => {
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 4 }), (samples) => {
        const described = samples.map(({ parameter }) => parameter);
        const values = samples.map(({ value }) => value);
        const encoded = encodeAbiParameters(described, values);
        const decoded = decodeParameters(readParameters(described), bytesOf(encoded.slice(2)));
        expect(decoded.map(plain)).toEqual(values.map(ours));
      }),
      { numRuns: 300 },
    );
  });

  test('behavior: any bytes are decoded or refused', () => {
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 3 }), fc.uint8Array({ maxLength: 400 }), (samples, bytes) => {
        const parameters = readParameters(samples.map(({ parameter }) => parameter));
        const decoded = decodedOrNone(parameters, bytes);
        if (decoded === undefined) expect(() => decodeParameters(parameters, bytes)).toThrow(AbiError);
        else expect(decodeParameters(parameters, bytes)).toEqual(decoded);
      }),
      { numRuns: 500 },
    );
  });

  test('error: more values than are decoded, in few bytes', () => {
    const word = (value: number) => value.toString(16).padStart(64, '0');
    const nothing = readParameters([{ type: 'tuple[]', components: [] }]);
    expect(decodedOrNone(nothing, bytesOf(word(32) + word(60)))).toBeDefined();
    const count = ABI_VALUES_MAX + 1;
    const many = bytesOf((word(32) + word(count)).padEnd(40 * ABI_VALUES_MAX, '0'));
    expect(() => decodeParameters(nothing, many)).toThrow(`${count} items`);
    // Each item is the same array again.
    const nested = readParameters([{ type: 'uint8[][][][]' }]);
    const bomb = bytesOf(word(32) + word(64).repeat(128));
    expect(() => decodeParameters(nested, bomb)).toThrow(`more than ${ABI_VALUES_MAX} values`);
  });

  test.each<[string, string, string]>([
    ['uint8', '0100', 'n: out of range'],
    ['int8', '80', 'n: out of range'],
    ['bool', '02', 'n: out of range'],
    ['address', '01'.padEnd(42, '0'), 'n: out of range'],
    ['bytes', '21', 'n: a length is beyond the encoding'],
    ['uint8[2]', '01', 'n: 2 items are more than the encoding has'],
  ])('error: a word that is no %s', (type, digits, message) => {
    const parameters = readParameters([{ name: 'n', type }]);
    expect(() => decodeParameters(parameters, bytesOf(digits.padStart(64, '0')))).toThrow(message);
  });
});

describe('readParameters', () => {
  test.each([
    ['a number', 7],
    ['an unknown type', [{ type: 'uint7' }]],
    ['no type', [{}]],
    ['arrays of arrays without end', [{ type: `uint8${'[]'.repeat(ABI_DEPTH_MAX + 1)}` }]],
    ['too many members', Array.from({ length: ABI_PARAMETERS_MAX + 1 }, () => ({ type: 'bool' }))],
    ['an array that is too long', [{ type: 'bool[99999999999999999999]' }]],
  ])('error: %s', (_title, json) => {
    expect(() => readParameters(json)).toThrow(AbiError);
  });
});
