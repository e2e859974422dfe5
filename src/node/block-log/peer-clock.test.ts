import { afterEach, beforeEach, expect, test } from 'vitest';
import { Cluster, INTERVAL_MS, PRODUCERS } from './cluster.testing.ts';

/** Clocks that are wrong by more than a block may be ahead. */

const MINUTE_MS = 60_000;
const AHEAD_MS = 10 * MINUTE_MS;

let cluster: Cluster;

beforeEach(() => {
  cluster = new Cluster();
});

afterEach(() => cluster.clean());

const keyOf = (index: number) => PRODUCERS.slice(index, index + 1);

test('behavior: a producer with a clock ten minutes ahead is skipped, and the others continue', async () => {
  const right = await cluster.start({ keys: keyOf(0) });
  await cluster.start({ keys: keyOf(1) });
  const wrong = await cluster.start({ keys: keyOf(2), clockAhead: AHEAD_MS });
  await cluster.time.pass(MINUTE_MS);
  cluster.expectOne();
  expect(right.ledger.blocks.head().number).toBeGreaterThan(20);
  expect(right.ledger.blocks.head().header.timestamp * 1_000).toBeLessThanOrEqual(cluster.time.wallNow());
  expect(wrong.runtime.health().problems).toEqual([
    expect.stringMatching(
      /^this machine's clock is (599|600|601|602) s ahead of the clocks of other producers/,
    ),
  ]);
  expect(wrong.runtime.status.mayProduce()).toBe(false);
});

test('behavior: a producer that restarts with such a clock is skipped too', async () => {
  const [first, , third] = await cluster.startThree();
  await cluster.time.pass(10.5 * INTERVAL_MS);
  await third.stop();
  await cluster.time.pass(5 * INTERVAL_MS);
  await cluster.start({ keys: keyOf(2), disk: third.disk, clockAhead: AHEAD_MS });
  await cluster.time.pass(MINUTE_MS);
  cluster.expectOne();
  expect(first.ledger.blocks.head().header.timestamp * 1_000).toBeLessThanOrEqual(cluster.time.wallNow());
});

test('behavior: a cluster that was stopped for a day continues after one round', async () => {
  const nodes = await cluster.startThree();
  await cluster.time.pass(5.5 * INTERVAL_MS);
  for (const node of nodes) await node.stop();
  await cluster.time.pass(24 * 60 * MINUTE_MS);
  for (const [index, { disk }] of nodes.entries()) await cluster.start({ keys: keyOf(index), disk });
  const before = cluster.log.blocks.length;
  await cluster.time.pass(20 * INTERVAL_MS);
  cluster.expectOne();
  expect(cluster.log.blocks.length - before).toBeGreaterThan(8);
});

test('behavior: a lone producer with a wrong clock eventually uses its own clock', async () => {
  const alone = await cluster.start({ keys: keyOf(0), clockAhead: AHEAD_MS });
  await cluster.time.pass(MINUTE_MS);
  expect(alone.ledger.blocks.head().number).toBeGreaterThan(10);
});
