import { expect, test } from 'vitest';
import type { Ledger } from '../ledger/index.ts';
import { HeadLag, type MaxLag } from './health.ts';

/** The lag of a head at block 10 that is 5 s old. */
function lagOf(newest: number, max?: MaxLag): HeadLag {
  const head = { number: 10, header: { timestamp: 1_000 } };
  const ledger = { blocks: { head: () => head }, clock: { now: () => 1_005 } } as unknown as Ledger;
  return new HeadLag(ledger, () => newest, max);
}

test('default: the lag is reported, and without a limit it is no problem', () => {
  expect(lagOf(60).lag).toEqual({ blocks: 50, seconds: 5 });
  expect(lagOf(60).problems()).toEqual([]);
});

test('behavior: the newest block that is known is no lag, however old it is', () => {
  for (const newest of [0, 9, 10]) {
    expect(lagOf(newest, { unit: 'seconds', most: 0 }).lag).toEqual({ blocks: 0, seconds: 0 });
    expect(lagOf(newest, { unit: 'blocks', most: 0 }).problems()).toEqual([]);
  }
});

test.each<[MaxLag, string]>([
  [{ unit: 'blocks', most: 2 }, '2 blocks'],
  [{ unit: 'seconds', most: 4 }, '4 s'],
])('error: more than %j', (max, allowed) => {
  expect(lagOf(13, max).problems()).toEqual([
    'block 10, the newest one here, is 3 blocks and 5 s behind the newest known block 13: --max-lag allows ' +
      allowed,
  ]);
});

test.each<MaxLag>([
  { unit: 'blocks', most: 3 },
  { unit: 'seconds', most: 5 },
])('behavior: %j is not too much', (max) => {
  expect(lagOf(13, max).problems()).toEqual([]);
});
