import fc from 'fast-check';
import { expect, test } from 'vitest';
import { solves, toBlockId } from '../../protocol/index.ts';
import { NonceSearch } from './nonce-search.ts';

const BLOCK_ID = toBlockId(new Uint8Array(20).fill(5));
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

test('default: it gives the first nonce that solves the task, and no other', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 20, maxLength: 20 }),
      uint64,
      uint64,
      fc.nat(6),
      (bytes, randNum, firstNonce, difficulty) => {
        const blockId = toBlockId(bytes);
        const found = new NonceSearch({ blockId, randNum, difficulty }, firstNonce).run(200);
        const tried = Array.from({ length: 200 }, (_, index) =>
          BigInt.asUintN(64, firstNonce + BigInt(index)),
        );
        expect(found).toBe(tried.find((nonce) => solves(blockId, randNum, nonce, difficulty)));
      },
    ),
  );
});

test('behavior: a search in parts finds the same nonce as a single run', () => {
  const task = { blockId: BLOCK_ID, randNum: 1n, difficulty: 12 };
  const whole = new NonceSearch(task, 0n).run(100_000);
  const parts = new NonceSearch(task, 0n);
  let found: bigint | undefined;
  for (let part = 0; found === undefined && part < 100_000; part += 7) found = parts.run(7);
  expect(found).toBe(whole);
  expect(whole).toBeDefined();
});

test.each([0xfffffff0n, 2n ** 64n - 16n])('behavior: the nonces after %d carry', (firstNonce) => {
  const task = { blockId: BLOCK_ID, randNum: 9n, difficulty: 12 };
  const found = new NonceSearch(task, firstNonce).run(100_000);
  expect(found).toBeDefined();
  // The search passes an overflow of the lower half, or of the whole nonce.
  expect(BigInt.asUintN(64, (found ?? 0n) - firstNonce) > 16n).toBe(true);
  expect(solves(BLOCK_ID, 9n, found ?? 0n, 12)).toBe(true);
});

test('args: an unreachable difficulty finds no nonce', () => {
  expect(new NonceSearch({ blockId: BLOCK_ID, randNum: 0n, difficulty: 256 }, 0n).run(1_000)).toBe(undefined);
});
