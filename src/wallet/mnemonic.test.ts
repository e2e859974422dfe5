import { HDNodeWallet, Mnemonic } from 'ethers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex, FormatError } from '../protocol/index.ts';
import { ETHEREUM_DERIVATION_PATH, evmAddressOf, mnemonicKeys } from './index.ts';

const JUNK = 'test test test test test test test test test test test junk';
const PATH = ETHEREUM_DERIVATION_PATH;

function errorOf(mnemonic: string, path = PATH): string {
  try {
    mnemonicKeys(mnemonic, path, 1);
    return 'no error';
  } catch (error) {
    expect(error).toBeInstanceOf(FormatError);
    return (error as FormatError).message;
  }
}

test('default: the keys that every tool knows', () => {
  const keys = mnemonicKeys(JUNK, PATH, 10);
  expect(bytesToHex(keys[0] ?? new Uint8Array())).toBe(
    'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  );
  expect(keys.map((key) => bytesToHex(evmAddressOf(key)))).toEqual([
    'f39fd6e51aad88f6f4ce6ab8827279cfffb92266',
    '70997970c51812dc3a010c7d01b50e0d17dc79c8',
    '3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
    '90f79bf6eb2c4f870365e785982e1f101e93b906',
    '15d34aaf54267db7d7c367839aaf71a00a2c6a65',
    '9965507d1a55bcc2695c58ba16fb37d819b0a4dc',
    '976ea74026e726554db657fa54763abd0c3a0aa9',
    '14dc79964da2c08b23698b3d3cc7ca32193d9955',
    '23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f',
    'a0ee7a142d267c1f36714e4a8f75612f20a79720',
  ]);
});

test('behavior: the known keys are the derived ones', () => {
  // More keys than are known are all derived.
  expect(mnemonicKeys(JUNK, PATH, 11).slice(0, 10)).toEqual(mnemonicKeys(JUNK, PATH, 10));
});

test('behavior: any mnemonic and path, as ethers derives them', () => {
  const entropy = fc
    .constantFrom(16, 20, 24, 28, 32)
    .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }));
  const index = fc.tuple(fc.oneof(fc.nat(100), fc.nat(2 ** 31 - 1)), fc.boolean());
  const anyPath = fc
    .array(index, { maxLength: 5 })
    .map((parts) =>
      ['m', ...parts.map(([number, isHardened]) => `${number}${isHardened ? "'" : ''}`)].join('/'),
    );
  fc.assert(
    fc.property(entropy, anyPath, (bytes, path) => {
      const mnemonic = Mnemonic.fromEntropy(bytes);
      const expected = [0, 1].map(
        (place) => HDNodeWallet.fromMnemonic(mnemonic, `${path}/${place}`).privateKey,
      );
      const keys = mnemonicKeys(mnemonic.phrase, path, 2);
      expect(keys.map((key) => `0x${bytesToHex(key)}`)).toEqual(expected);
    }),
    { numRuns: 25 },
  );
});

test('args: spaces and case of the words do not matter', () => {
  expect(mnemonicKeys(`  ${JUNK.replaceAll(' ', '\n ').toUpperCase()}\n`, PATH, 1)).toEqual(
    mnemonicKeys(JUNK, PATH, 1),
  );
});

test('args: no keys', () => {
  expect(mnemonicKeys(JUNK, PATH, 0)).toEqual([]);
});

describe('mnemonic', () => {
  test.each([
    ['error: no words', '', 'mnemonic: must have 12, 15, 18, 21 or 24 words, not 1'],
    [
      'error: a word too few',
      JUNK.slice('test '.length),
      'mnemonic: must have 12, 15, 18, 21 or 24 words, not 11',
    ],
    [
      'error: a word that is unknown',
      JUNK.replace(/^test test/, 'test tset'),
      'mnemonic: word 2, "tset", is not on the English list of BIP-39',
    ],
    [
      'error: another word',
      JUNK.replace('junk', 'test'),
      'mnemonic: wrong checksum: a word is wrong or in the wrong position',
    ],
  ])('%s', (_title, mnemonic, message) => {
    expect(errorOf(mnemonic)).toBe(message);
  });
});

describe('path', () => {
  const RULE = "must be a number below 2147483648, with ' after it if it is hardened";
  test.each([
    ['error: no m', "44'/60'", "must begin with m, such as in m/44'/60'/0'/0"],
    ['error: nothing', '', "must begin with m, such as in m/44'/60'/0'/0"],
    ['error: no number', "m/44'/x", `part 2, "x", ${RULE}`],
    ['error: a slash at the end', "m/44'/", `part 2, "", ${RULE}`],
    ['error: a number that is too great', 'm/2147483648', `part 1, "2147483648", ${RULE}`],
    ['error: a sign', 'm/-1', `part 1, "-1", ${RULE}`],
  ])('%s', (_title, path, reason) => {
    expect(errorOf(JUNK, path)).toBe(`derivation path: ${reason}`);
  });
});
