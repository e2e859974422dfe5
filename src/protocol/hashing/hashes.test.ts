import { keccak_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesToHex, InvariantError, keccak256, utf8ToBytes } from '../index.ts';
import { HASH_INPUT_BYTES_MAX } from './hashes.ts';
import { HASHED_LENGTHS, patternBytes } from './hashing.testing.ts';

test('default', () => {
  expect(bytesToHex(keccak256(new Uint8Array()))).toBe(
    'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
  );
  expect(bytesToHex(keccak256(utf8ToBytes('Transfer(address,address,uint256)')))).toBe(
    'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  );
});

test('behavior: agrees with another implementation at every length', () => {
  for (const length of HASHED_LENGTHS) {
    const bytes = patternBytes(length);
    expect(bytesToHex(keccak256(bytes)), `${length} bytes`).toBe(bytesToHex(keccak_256(bytes)));
  }
});

test('behavior: agrees with another implementation for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 1_000 }), (bytes) => {
      expect(bytesToHex(keccak256(bytes))).toBe(bytesToHex(keccak_256(bytes)));
    }),
  );
});

test('behavior: grows its memory for a long input and hashes short ones after it', () => {
  const long = patternBytes(5 * 1024 * 1024 + 7);
  expect(bytesToHex(keccak256(long))).toBe(bytesToHex(keccak_256(long)));
  expect(bytesToHex(keccak256(patternBytes(3)))).toBe(bytesToHex(keccak_256(patternBytes(3))));
});

test('behavior: does not change the input, and returns separate bytes', () => {
  const bytes = patternBytes(100);
  const first = keccak256(bytes);
  const copy = Uint8Array.from(first);
  keccak256(patternBytes(101));
  expect(bytes).toEqual(patternBytes(100));
  expect(first).toEqual(copy);
  expect(first.buffer.byteLength).toBe(32);
});

test('behavior: takes a view into a larger buffer', () => {
  const bytes = patternBytes(300);
  expect(keccak256(bytes.subarray(17, 210))).toEqual(keccak256(bytes.slice(17, 210)));
});

test('error: an input past the limit', () => {
  const tooLong = { length: HASH_INPUT_BYTES_MAX + 1 } as Uint8Array;
  expect(() => keccak256(tooLong)).toThrow(InvariantError);
  expect(() => keccak256(tooLong)).toThrow('exceeds HASH_INPUT_BYTES_MAX (1073741824)');
});
