import fc from 'fast-check';
import type { AbiParameter as ViemParameter } from 'viem';

/** A type with a value of it, as viem takes both. */
export interface Sample {
  readonly parameter: ViemParameter;
  readonly value: unknown;
}

/** Bytes as viem takes them. */
const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

const numbers = fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 32 })).chain(([isSigned, size]) => {
  const bits = BigInt(size * 8);
  const [min, max] = isSigned ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n] : [0n, (1n << bits) - 1n];
  const parameter = { name: 'n', type: `${isSigned ? 'int' : 'uint'}${bits}` };
  return fc.bigInt({ min, max }).map((value): Sample => ({ parameter, value }));
});

const simple: fc.Arbitrary<Sample> = fc.oneof(
  numbers,
  fc.boolean().map((value): Sample => ({ parameter: { name: '', type: 'bool' }, value })),
  fc.string({ unit: 'binary' }).map((value): Sample => ({ parameter: { name: 's', type: 'string' }, value })),
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

/** Any type, with any value of it. */
export const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
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
