import fc from 'fast-check';
import { encodeAbiParameters, type AbiParameter as ViemParameter } from 'viem';
import { describe, expect, test } from 'vitest';
import { ABI_DEPTH_MAX, ABI_MEMBERS_MAX, ABI_VALUES_MAX } from '../../limits.ts';
import { hexToBytes } from '../../protocol/index.ts';
import { AbiError, type AbiValue, decodeParameters, readParameters, showValues } from './index.ts';

/** A type with a value of it, as viem takes both. */
interface Sample {
  readonly parameter: ViemParameter;
  readonly value: unknown;
}

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

const numbers = fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 32 })).chain(([isSigned, size]) => {
  const bits = BigInt(size * 8);
  const [min, max] = isSigned ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n] : [0n, (1n << bits) - 1n];
  const parameter = { name: 'n', type: `${isSigned ? 'int' : 'uint'}${bits}` };
  // viem gives and takes numbers for the small ones.
  return fc
    .bigInt({ min, max })
    .map((value): Sample => ({ parameter, value: size <= 6 ? Number(value) : value }));
});

const simple: fc.Arbitrary<Sample> = fc.oneof(
  numbers,
  fc.boolean().map((value): Sample => ({ parameter: { name: '', type: 'bool' }, value })),
  fc.string().map((value): Sample => ({ parameter: { name: 's', type: 'string' }, value })),
  fc
    .uint8Array({ maxLength: 70 })
    .map((value): Sample => ({ parameter: { name: 'b', type: 'bytes' }, value: hex(value) })),
  fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((value): Sample => ({ parameter: { name: 'a', type: 'address' }, value: hex(value) })),
  fc
    .uint8Array({ minLength: 1, maxLength: 32 })
    .map((value): Sample => ({ parameter: { name: 'f', type: `bytes${value.length}` }, value: hex(value) })),
);

const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    simple,
    fc.tuple(tie('sample'), fc.integer({ min: 0, max: 3 }), fc.boolean()).map(
      ([{ parameter, value }, length, isFixed]): Sample => ({
        parameter: { ...parameter, type: `${parameter.type}[${isFixed ? length + 1 : ''}]` },
        // Solidity has no arrays whose fixed length is 0.
        value: Array.from({ length: isFixed ? length + 1 : length }, () => value),
      }),
    ),
    fc.array(tie('sample'), { minLength: 1, maxLength: 3 }).map(
      (members): Sample => ({
        parameter: {
          name: 't',
          type: 'tuple',
          // viem makes an array of a tuple whose members have no names.
          components: members.map((member) => ({ ...member.parameter, name: '' })),
        },
        value: members.map((member) => member.value),
      }),
    ),
  ),
}));

/** A value of viem's as ours. */
function ours(value: unknown): unknown {
  if (typeof value === 'number') return BigInt(value);
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
  test('behavior: it decodes what viem encodes, as viem decodes it', () => {
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 4 }), (samples) => {
        const parameters = samples.map(({ parameter }) => parameter);
        const encoded = encodeAbiParameters(
          parameters,
          samples.map(({ value }) => value),
        );
        const decoded = decodeParameters(readParameters(parameters), hexToBytes(encoded.slice(2)));
        expect(decoded?.map(plain)).toEqual(samples.map(({ value }) => ours(value)));
      }),
      { numRuns: 300 },
    );
  });

  test('behavior: any bytes are decoded or refused, and what is shown is bounded', () => {
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 3 }), fc.uint8Array({ maxLength: 400 }), (samples, bytes) => {
        const parameters = readParameters(samples.map(({ parameter }) => parameter));
        const decoded = decodeParameters(parameters, bytes);
        if (decoded !== undefined) expect(showValues(parameters, decoded).length).toBeLessThan(1_000);
      }),
      { numRuns: 300 },
    );
  });

  test('error: more values than are decoded, in few bytes', () => {
    const word = (value: number) => value.toString(16).padStart(64, '0');
    const nothing = readParameters([{ type: 'tuple[]', components: [] }]);
    expect(decodeParameters(nothing, hexToBytes(word(32) + word(60)))).toBeDefined();
    const many = word(32) + word(ABI_VALUES_MAX + 1);
    expect(decodeParameters(nothing, hexToBytes(many.padEnd(40 * ABI_VALUES_MAX, '0')))).toBeUndefined();
    // Each item is the same array again.
    const nested = readParameters([{ type: 'uint8[][][][]' }]);
    const bomb = word(32) + word(64).repeat(64);
    expect(decodeParameters(nested, hexToBytes(bomb))).toBeUndefined();
  });
});

describe('readParameters', () => {
  test.each([
    ['a number', 7],
    ['an unknown type', [{ type: 'uint7' }]],
    ['no type', [{}]],
    ['arrays of arrays without end', [{ type: `uint8${'[]'.repeat(ABI_DEPTH_MAX + 1)}` }]],
    ['too many members', Array.from({ length: ABI_MEMBERS_MAX + 1 }, () => ({ type: 'bool' }))],
    ['an array that is too long', [{ type: 'bool[99999999999999999999]' }]],
  ])('error: %s', (_title, json) => {
    expect(() => readParameters(json)).toThrow(AbiError);
  });
});
