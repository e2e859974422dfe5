import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { InvariantError } from '../../protocol/index.ts';
import { HARDFORKS } from '../hardfork.ts';
import { call, createOracle, type Oracle, outputOf } from './precompiles.testing.ts';
import { precompileAt, preparePrecompiles } from './registry.ts';

const NAMES = [
  'ecrecover',
  'sha256',
  'ripemd160',
  'identity',
  'modexp',
  'bn254Add',
  'bn254Mul',
  'bn254Pairing',
  'blake2f',
];

test('default', () => {
  for (const hardfork of HARDFORKS) {
    expect(NAMES.map((_, index) => precompileAt(index + 1, hardfork)?.name)).toEqual(NAMES);
  }
});

test('behavior: no contract at other addresses', () => {
  for (const address of [0, -1, 0.5, 10, 11, 256, 2 ** 53]) {
    expect(precompileAt(address, 'cancun'), `${address}`).toBeUndefined();
  }
});

test('error: a curve contract before the libraries are ready', () => {
  expect(() => precompileAt(6, 'cancun')?.run(new Uint8Array())).toThrow(InvariantError);
  expect(() => precompileAt(8, 'cancun')?.run(new Uint8Array(192))).toThrow(
    'preparePrecompiles() was not awaited',
  );
});

test('behavior: preparing twice is preparing once', () => {
  expect(preparePrecompiles()).toBe(preparePrecompiles());
});

describe('against another implementation', () => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await createOracle();
    await preparePrecompiles();
  });

  test.each(NAMES.map((name, index) => [name, index + 1] as const))(
    'behavior: %s agrees for zeros of every length up to 260',
    async (_, address) => {
      for (let length = 0; length <= 260; length += 1) {
        const input = new Uint8Array(length);
        expect(call(address, input), `${length} bytes`).toEqual(await oracle(address, input));
      }
    },
  );

  test.each([
    ['ecrecover', 1],
    ['sha256', 2],
    ['ripemd160', 3],
    ['identity', 4],
    ['bn254Add', 6],
    ['bn254Mul', 7],
    ['bn254Pairing', 8],
  ] as const)('behavior: %s agrees for any bytes', async (_, address) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 600 }), async (input) => {
        expect(call(address, input)).toEqual(await oracle(address, input));
      }),
    );
  });

  test('behavior: the hashes and the identity return bytes of their own and leave the input alone', () => {
    for (const address of [2, 3, 4]) {
      const input = new Uint8Array(40).fill(7);
      const output = precompileAt(address, 'cancun')?.run(input);
      output?.fill(0);
      expect(input).toEqual(new Uint8Array(40).fill(7));
      expect(outputOf(address, input)).not.toBe('00'.repeat(output?.length ?? 0));
    }
  });
});

test('behavior: known digests and prices', () => {
  expect(call(2, new Uint8Array())).toEqual({
    gas: 60n,
    output: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  });
  expect(call(3, new Uint8Array(33))).toMatchObject({ gas: 840n });
  expect(outputOf(3, new Uint8Array())).toBe(`${'00'.repeat(12)}9c1185a5c5e9fc54612808977ee8f548b2258d31`);
  expect(call(4, Uint8Array.of(1, 2, 3))).toEqual({ gas: 18n, output: '010203' });
});
