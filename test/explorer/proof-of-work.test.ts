import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toHex } from '../../explorer/src/abi/index.ts';
import { isPublicKey, publicKeyOf } from '../../explorer/src/registration/keys.ts';
import { NonceSearch } from '../../explorer/src/registration/nonce-search.ts';
import { createKeyPair, formatPublicKey, toSeed } from '../../src/protocol/index.ts';

const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const blockIds = fc.uint8Array({ minLength: 20, maxLength: 20 });

/** Zero bits at the beginning of the hash of a solution, by the platform's SHA-256. */
function zeroBits(blockId: Uint8Array, randNum: bigint, nonce: bigint): number {
  const bytes = Buffer.alloc(36);
  bytes.set(blockId);
  bytes.writeBigUInt64LE(randNum, 20);
  bytes.writeBigUInt64LE(nonce, 28);
  const digits = createHash('sha256').update(bytes).digest('hex');
  const number = BigInt(`0x${digits}`);
  return number === 0n ? 256 : 256 - number.toString(2).length;
}

describe('NonceSearch', () => {
  test('behavior: the search returns the first nonce that solves the proof of work', () => {
    fc.assert(
      fc.property(
        blockIds,
        uint64,
        uint64,
        fc.integer({ min: 0, max: 7 }),
        (blockId, randNum, first, difficulty) => {
          const search = new NonceSearch({ blockId, randNum, difficulty }, first);
          const found = search.run(64);
          const one = new NonceSearch({ blockId, randNum, difficulty: 0 }, first);
          for (let tried = 0; tried < 64; tried += 1) {
            const nonce = one.run(1);
            if (nonce === undefined) throw new Error('without zero bits every nonce is a solution');
            if (tried === 0) expect(nonce).toBe(first);
            const isSolution = zeroBits(blockId, randNum, nonce) >= difficulty;
            expect(isSolution).toBe(nonce === found);
            if (isSolution) return;
          }
          expect(found).toBeUndefined();
        },
      ),
      { numRuns: 60 },
    );
  });

  test('behavior: a solution of 16 bits', () => {
    const blockId = new Uint8Array(20).fill(7);
    const nonce = new NonceSearch({ blockId, randNum: 9n, difficulty: 16 }, 0n).run(2_000_000);
    expect(zeroBits(blockId, 9n, nonce ?? 0n)).toBeGreaterThanOrEqual(16);
  });
});

test('behavior: derived public keys match those of the ledger', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (seed) => {
      const key = publicKeyOf(seed);
      expect([toHex(seed), key]).toEqual([
        toHex(seed),
        formatPublicKey(createKeyPair(toSeed(seed)).publicKey),
      ]);
      expect(isPublicKey(key)).toBe(true);
    }),
    { numRuns: 40 },
  );
  expect(isPublicKey('ECHO')).toBe(false);
});
