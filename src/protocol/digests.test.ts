import { ripemd160 as nobleRipemd160 } from '@noble/hashes/legacy.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { leadingZeroBits } from './blocks/blocks.ts';
import {
  bytesToHex,
  concatBytes,
  decode,
  headerDigest,
  hexToBytes,
  merkleRoot,
  proofOfWorkHash,
  ripemd160,
  sha256,
  signedBlockHeaderCodec,
  solves,
  toBlockId,
  toHash,
  utf8ToBytes,
} from './index.ts';
import vectors from './native-vectors.testing.json' with { type: 'json' };

describe('digests', () => {
  test('default', () => {
    expect(bytesToHex(sha256(utf8ToBytes('abc')))).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
    expect(bytesToHex(ripemd160(utf8ToBytes('abc')))).toBe('8eb208f7e05d987a9b044a8e98c6b087f15a0bfc');
  });

  test('behavior: RIPEMD-160 is that of another implementation', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(ripemd160(bytes)).toEqual(nobleRipemd160(bytes));
      }),
    );
  });

  test('default: a producer signs the chain id and the unsigned header', () => {
    const chainId = toHash(hexToBytes(vectors.chainId));
    const header = decode(signedBlockHeaderCodec, hexToBytes(vectors.block.signedHeader));
    const expected = sha256(concatBytes(chainId, hexToBytes(vectors.block.header)));
    expect(headerDigest(chainId, header)).toStrictEqual(expected);
    expect(headerDigest(chainId, hexToBytes(vectors.block.header))).toStrictEqual(expected);
  });
});

describe('merkle root', () => {
  const leaves = [1, 2, 3, 4, 5].map((value) => Uint8Array.of(value));
  const leaf = (value: number) => sha256(Uint8Array.of(value));
  const [a, b, c, d, e] = [leaf(1), leaf(2), leaf(3), leaf(4), leaf(5)] as const;
  const both = (left: Uint8Array, right: Uint8Array) => sha256(concatBytes(left, right));

  test.each<[count: number, root: Uint8Array]>([
    [0, new Uint8Array(20)],
    [1, ripemd160(a)],
    [2, ripemd160(both(a, b))],
    [3, ripemd160(both(both(a, b), c))],
    [4, ripemd160(both(both(a, b), both(c, d)))],
    [5, ripemd160(both(both(both(a, b), both(c, d)), e))],
  ])('args: %i transactions', (count, root) => {
    expect(merkleRoot(leaves.slice(0, count))).toStrictEqual(root);
  });
});

describe('proof of work', () => {
  const id = toBlockId(hexToBytes(vectors.block.id));

  test('default: id, then both numbers little endian', () => {
    const bytes = hexToBytes(`${vectors.block.id}0807060504030201ffffffffffffffff`);
    expect(proofOfWorkHash(id, 0x0102030405060708n, 2n ** 64n - 1n)).toStrictEqual(sha256(bytes));
  });

  test.each<[hex: string, bits: number]>([
    ['80', 0],
    ['7f', 1],
    ['01', 7],
    ['00ff', 8],
    ['0010', 11],
    ['0000', 16],
    ['', 0],
  ])('args: %s begins with %i zero bits', (hex, bits) => {
    expect(leadingZeroBits(hexToBytes(hex))).toBe(bits);
  });

  test('behavior: solves exactly up to the zero bits of the hash', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (nonce) => {
        const bits = leadingZeroBits(proofOfWorkHash(id, 5n, nonce));
        expect(solves(id, 5n, nonce, bits)).toBe(true);
        expect(solves(id, 5n, nonce, bits + 1)).toBe(false);
      }),
    );
  });
});
