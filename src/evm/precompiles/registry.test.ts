import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { HARDFORKS, type Hardfork } from '../hardfork.ts';
import { call, createOracle, type Oracle, outputOf } from './precompiles.testing.ts';
import { precompileAt } from './registry.ts';

/** Names at the addresses from 1 on. */
const NAMES = [
  'ECREC',
  'SHA256',
  'RIPEMD160',
  'ID',
  'MODEXP',
  'BN254_ADD',
  'BN254_MUL',
  'BN254_PAIRING',
  'BLAKE2F',
];
const CANCUN_NAMES = [...NAMES, 'KZG_POINT_EVALUATION'];
const PRAGUE_NAMES = [
  ...CANCUN_NAMES,
  'BLS12_G1ADD',
  'BLS12_G1MSM',
  'BLS12_G2ADD',
  'BLS12_G2MSM',
  'BLS12_PAIRING_CHECK',
  'BLS12_MAP_FP_TO_G1',
  'BLS12_MAP_FP2_TO_G2',
];
const P256_ADDRESS = 0x100;

test.each<[Hardfork, readonly string[], boolean]>([
  ['london', NAMES, false],
  ['paris', NAMES, false],
  ['shanghai', NAMES, false],
  ['cancun', CANCUN_NAMES, false],
  ['prague', PRAGUE_NAMES, false],
  ['osaka', PRAGUE_NAMES, true],
])('args: %s has these contracts and no others', (hardfork, names, hasP256) => {
  for (let address = -1; address <= P256_ADDRESS + 1; address++) {
    const name = address === P256_ADDRESS && hasP256 ? 'P256VERIFY' : names[address - 1];
    expect(precompileAt(address, hardfork)?.name, `${address}`).toBe(name);
  }
  for (const address of [0.5, 2 ** 53]) expect(precompileAt(address, hardfork)).toBeUndefined();
});

test('behavior: each hard fork has a row', () => {
  for (const hardfork of HARDFORKS) expect(precompileAt(1, hardfork)?.name).toBe('ECREC');
});

describe('against another implementation', () => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await createOracle();
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
    ['ECREC', 1],
    ['SHA256', 2],
    ['RIPEMD160', 3],
    ['ID', 4],
    ['BN254_ADD', 6],
    ['BN254_MUL', 7],
    ['BN254_PAIRING', 8],
  ] as const)('behavior: %s agrees for any bytes', async (_, address) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 600 }), async (input) => {
        expect(call(address, input)).toEqual(await oracle(address, input));
      }),
    );
  });

  test('behavior: the hashes and the identity return new bytes and do not change the input', () => {
    for (const address of [2, 3, 4]) {
      const input = new Uint8Array(40).fill(7);
      const output = precompileAt(address, 'cancun')?.run(input);
      output?.fill(0);
      expect(input).toEqual(new Uint8Array(40).fill(7));
      expect(outputOf(address, input)).not.toBe('00'.repeat(output?.length ?? 0));
    }
  });
});

test('behavior: known digests and gas', () => {
  expect(call(2, new Uint8Array())).toEqual({
    gas: 60n,
    output: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  });
  expect(call(3, new Uint8Array(33))).toMatchObject({ gas: 840n });
  expect(outputOf(3, new Uint8Array())).toBe(`${'00'.repeat(12)}9c1185a5c5e9fc54612808977ee8f548b2258d31`);
  expect(call(4, Uint8Array.of(1, 2, 3))).toEqual({ gas: 18n, output: '010203' });
});
