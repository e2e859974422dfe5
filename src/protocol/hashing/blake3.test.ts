import { blake3 as referenceBlake3 } from '@noble/hashes/blake3.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesToHex } from '../index.ts';
import { blake3 } from './blake3.testing.ts';
import { HASHED_LENGTHS, patternBytes } from './hashing.testing.ts';

function reference(bytes: Uint8Array, outputLength: number): string {
  return bytesToHex(referenceBlake3(bytes, { dkLen: outputLength }));
}

test('default', () => {
  expect(bytesToHex(blake3(new Uint8Array()))).toBe(
    'af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262',
  );
});

test('behavior: agrees with another implementation at every length', () => {
  for (const length of HASHED_LENGTHS) {
    const bytes = patternBytes(length);
    expect(bytesToHex(blake3(bytes)), `${length} bytes`).toBe(reference(bytes, 32));
  }
});

test('args: outputLength', () => {
  const oneBlock = patternBytes(50);
  const manyChunks = patternBytes(5_000);
  for (const outputLength of [1, 31, 33, 63, 64, 65, 255, 256, 257, 511, 512, 513, 2_047, 2_048, 2_049]) {
    for (const bytes of [oneBlock, manyChunks]) {
      expect(bytesToHex(blake3(bytes, outputLength)), `${outputLength} bytes`).toBe(
        reference(bytes, outputLength),
      );
    }
  }
});

test('behavior: a longer output begins with the shorter one', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3_000 }), fc.integer({ min: 1, max: 3_000 }), (bytes, length) => {
      const output = blake3(bytes, length);
      expect(output.length).toBe(length);
      expect(blake3(bytes, length + 100).slice(0, length)).toEqual(output);
      expect(bytesToHex(output)).toBe(reference(bytes, length));
    }),
  );
});
