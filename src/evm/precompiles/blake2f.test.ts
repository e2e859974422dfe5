import { blake2b } from '@noble/hashes/blake2.js';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { bytesToHex, concatBytes, hexToBytes } from '../../protocol/index.ts';
import { call, createOracle, type Oracle, outputOf, word } from './precompiles.testing.ts';
import { precompileAt } from './registry.ts';

/** State of BLAKE2b-512 before its first block, as EIP-152's vectors have it, and the block "abc". */
const STATE = hexToBytes(
  '48c9bdf267e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5' +
    'd182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05b',
);
const MESSAGE = concatBytes(hexToBytes('616263'), new Uint8Array(125));
const COUNTERS = concatBytes(Uint8Array.of(3), new Uint8Array(15));

function input(rounds: number, final = 1): Uint8Array {
  return concatBytes(word(BigInt(rounds), 4), STATE, MESSAGE, COUNTERS, Uint8Array.of(final));
}

let oracle: Oracle;
beforeAll(async () => {
  oracle = await createOracle();
});

test('default', () => {
  expect(call(9, input(12))).toEqual({
    gas: 12n,
    output: bytesToHex(blake2b(hexToBytes('616263'))),
  });
});

test('behavior: the vectors of EIP-152', () => {
  const zeroRounds =
    '08c9bcf367e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5' +
    'd282e6ad7f520e511f6c3e2b8c68059b9442be0454267ce079217e1319cde05b';
  const notFinal =
    '75ab69d3190a562c51aef8d88f1c2775876944407270c42c9844252c26d28752' +
    '98743e7f6d5ea2f2d3e8d226039cd31b4e426ac4f2d3d666a610c2116fde4735';
  const oneRound =
    'b63a380cb2897d521994a85234ee2c181b5f844d2c624c002677e9703449d2fb' +
    'a551b3a8333bcdf5f2f7e08993d53923de3d64fcc68c034e717b9293fed7a421';
  expect(outputOf(9, input(0))).toBe(zeroRounds);
  expect(outputOf(9, input(12, 0))).toBe(notFinal);
  expect(outputOf(9, input(1))).toBe(oneRound);
});

test('behavior: any input agrees with another implementation', async () => {
  const parts = fc.tuple(
    fc.integer({ min: 0, max: 40 }),
    fc.uint8Array({ minLength: 208, maxLength: 208 }),
    fc.boolean(),
  );
  await fc.assert(
    fc.asyncProperty(parts, async ([rounds, middle, final]) => {
      const bytes = concatBytes(word(BigInt(rounds), 4), middle, Uint8Array.of(final ? 1 : 0));
      expect(call(9, bytes)).toEqual(await oracle(9, bytes));
    }),
  );
});

test('behavior: more rounds than a piece has', async () => {
  for (const rounds of [9_999, 10_000, 10_001, 20_007]) {
    expect(call(9, input(rounds))).toEqual(await oracle(9, input(rounds)));
  }
});

test('behavior: the gas is the number of rounds, and computing it runs none', () => {
  expect(precompileAt(9, 'cancun')?.gas(input(0xffff_ffff))).toBe(4_294_967_295n);
  expect(precompileAt(9, 'cancun')?.gas(new Uint8Array(212).fill(255))).toBe(0n);
});

test('behavior: another length fails', () => {
  for (const length of [0, 1, 4, 212, 214, 426]) {
    expect(call(9, new Uint8Array(length)), `${length} bytes`).toBe('failure');
  }
});

test('behavior: a final block flag other than 0 and 1 fails', () => {
  for (const final of [2, 3, 128, 255]) expect(call(9, input(12, final)), `${final}`).toBe('failure');
});
