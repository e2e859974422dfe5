import fc from 'fast-check';
import { expect, test } from 'vitest';
import { concatBytes, keccak256 } from '../../protocol/index.ts';
import { CONTRACT, createFixture } from '../testing/engine.testing.ts';
import { word } from '../testing/memory-host.testing.ts';

/** Hashes the first bytes of the input, as many as its last word says. */
const HASH = 'CALLDATASIZE 0 0 CALLDATACOPY 64 CALLDATALOAD 0 KECCAK256 RETURN_TOP';

const fixture = await createFixture();
fixture.place(CONTRACT, HASH);

function hashed(preimage: Uint8Array): Uint8Array {
  const padded = concatBytes(preimage, new Uint8Array(64 - preimage.length));
  return fixture.send({ data: concatBytes(padded, word(BigInt(preimage.length))) }).output;
}

test('default: hashes of 64 bytes, repeated and in any order', () => {
  const number = fc.oneof(
    fc.bigInt({ min: 0n, max: 3_000n }),
    fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 50 }), (keys) => {
      const preimages = keys.map(([key, slot]) => concatBytes(word(key), word(slot)));
      for (const preimage of [...preimages, ...preimages])
        expect(hashed(preimage)).toEqual(keccak256(preimage));
    }),
  );
});

test('behavior: keys of one mapping that share a cell of the cache', () => {
  const preimages = Array.from({ length: 6_000 }, (_, key) => concatBytes(word(BigInt(key)), word(1n)));
  for (const preimage of [...preimages, ...preimages]) expect(hashed(preimage)).toEqual(keccak256(preimage));
});

test('args: bytes of zero, and other lengths', () => {
  for (const length of [64, 63, 64, 32, 0, 64]) {
    const preimage = new Uint8Array(length);
    expect(hashed(preimage)).toEqual(keccak256(preimage));
  }
});
