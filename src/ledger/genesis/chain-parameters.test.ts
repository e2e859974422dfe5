import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ATTEMPT_MAX } from '../../consensus.ts';
import { accountId } from '../../protocol/index.ts';
import { attemptSeconds, attemptsOf, producerOf } from './chain-parameters.ts';

const producersOf = (count: number) => Array.from({ length: count }, (_, index) => accountId(index));

test('default: producers alternate by number, and each attempt is scheduled for the next one', () => {
  const genesis = { producers: producersOf(3) };
  expect([0, 1, 2, 3].map((number) => producerOf(genesis, number))).toEqual([0, 1, 2, 0]);
  expect([0, 1, 2, 3].map((attempt) => producerOf(genesis, 2, attempt))).toEqual([2, 0, 1, 2]);
});

test.each([
  [1, 0, 0],
  [1, 1, 2],
  [1, 255, 256],
  [0.1, 1, 1],
  [0.1, 9, 1],
  [0.1, 10, 2],
  [0.05, 19, 1],
  [2.5, 1, 5],
  [2.5, 2, 8],
  [3_600, 2, 10_800],
])('args: with an interval of %d s attempt %i takes %i s', (blockInterval, attempt, seconds) => {
  expect(attemptSeconds({ blockInterval }, attempt)).toBe(seconds);
});

test('behavior: each producer has one attempt of a block, up to the maximum of one byte', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 400 }),
      fc.nat(1_000_000),
      fc.func(fc.boolean()),
      (count, number, held) => {
        const genesis = { producers: producersOf(count) };
        const attempts = attemptsOf(genesis, number, held);
        for (const attempt of attempts) {
          expect(attempt).toBeLessThanOrEqual(ATTEMPT_MAX);
          expect(held(producerOf(genesis, number, attempt))).toBe(true);
        }
        expect(attempts).toEqual([...new Set(attempts)].sort((left, right) => left - right));
        const holders = genesis.producers.filter((producer) => held(producer)).length;
        if (count <= ATTEMPT_MAX + 1) expect(attempts).toHaveLength(holders);
      },
    ),
  );
});
