import { afterEach, beforeEach, expect, test } from 'vitest';
import { producerOf } from '../../ledger/index.ts';
import { accountAt } from '../../ledger/ledger.testing.ts';
import { attemptsIn, Cluster, type ClusterNode, INTERVAL_MS, PRODUCERS } from './cluster.testing.ts';

const MINUTE_MS = 60_000;

let cluster: Cluster;

beforeEach(() => {
  cluster = new Cluster();
});

afterEach(() => cluster.clean());

test('default: three nodes alternate, and no producer is skipped', async () => {
  const nodes = await cluster.startThree();
  await cluster.time.pass(MINUTE_MS + 500);
  cluster.expectOne();
  expect(nodes[0].ledger.blocks.head().number).toBeGreaterThan(58);
  expect(new Set(attemptsIn(nodes[1]))).toEqual(new Set([0]));
  for (const { runtime, notices } of nodes) {
    expect(runtime.health().problems).toEqual([]);
    expect(notices.map(({ kind }) => kind)).toEqual(['logAnswers']);
    expect(runtime.status.mayProduce()).toBe(true);
    expect(runtime.status.blockLog?.()).toMatchObject({ lagBlocks: 0, lagSeconds: 0, halted: undefined });
  }
});

test('behavior: a stopped producer is skipped, and resumes its slots after a restart', async () => {
  const [first, second, third] = await cluster.startThree();
  await cluster.time.pass(10.5 * INTERVAL_MS);
  await second.stop();
  const before = first.ledger.blocks.head().number;
  let longest = 0;
  let since = cluster.time.now();
  const stop = first.ledger.chain.onBlock(() => {
    longest = Math.max(longest, cluster.time.now() - since);
    since = cluster.time.now();
  });
  await cluster.time.pass(MINUTE_MS);
  stop();
  cluster.expectOne();
  expect(longest).toBeLessThanOrEqual(3_000);
  expect(first.ledger.blocks.head().number - before).toBeGreaterThan(35);
  expect(new Set(attemptsIn(third).slice(before))).toEqual(new Set([0, 1]));
  const again = await cluster.start({ keys: PRODUCERS.slice(1, 2), disk: second.disk });
  await cluster.time.pass(10 * INTERVAL_MS);
  cluster.expectOne();
  expect(new Set(attemptsIn(again).slice(-6))).toEqual(new Set([0]));
});

/** Returns the notices of a node about producers. */
const ofProducers = ({ notices }: ClusterNode) => notices.filter(({ kind }) => kind.startsWith('producer'));

test('error: a producer without a block in its turn is reported once, and when it makes one again', async () => {
  const [first, second, third] = await cluster.startThree();
  await cluster.time.pass(10.5 * INTERVAL_MS);
  await second.stop();
  await cluster.time.pass(MINUTE_MS);
  const missing = { kind: 'producerMissing', producer: accountAt(0), number: expect.any(Number) };
  for (const node of [first, third]) {
    expect(ofProducers(node)).toEqual([missing]);
    expect(node.runtime.health()).toMatchObject({
      ok: true,
      warnings: [expect.stringMatching(/^1\.2\.\d+ made no block in its turn: block \d+$/)],
    });
    expect(node.runtime.producers.list()).toEqual([
      [accountAt(-1), false],
      [accountAt(0), true],
      [accountAt(1), false],
    ]);
  }
  await cluster.start({ keys: PRODUCERS.slice(1, 2), disk: second.disk });
  await cluster.time.pass(10 * INTERVAL_MS);
  for (const node of [first, third]) {
    expect(ofProducers(node)).toEqual([missing, { ...missing, kind: 'producerReturned' }]);
    expect(node.runtime.health().warnings).toEqual([]);
  }
  // What was over before a node caught up is not reported.
  await cluster.time.pass(MINUTE_MS);
  const late = await cluster.start({ keys: [] });
  await cluster.time.pass(10 * INTERVAL_MS);
  expect([late.ledger.blocks.head(), ofProducers(late)]).toEqual([first.ledger.blocks.head(), []]);
});

test('error: in a chain that stands still, the producer of the next block is missing', async () => {
  const nodes = await cluster.startThree();
  const watcher = await cluster.start({ keys: [] });
  await cluster.time.pass(10.5 * INTERVAL_MS);
  for (const node of nodes) await node.stop();
  await cluster.time.pass(MINUTE_MS);
  const number = watcher.ledger.blocks.head().number + 1;
  const producer = producerOf(watcher.ledger.parameters.genesis, number);
  expect(ofProducers(watcher)).toEqual([{ kind: 'producerMissing', producer, number }]);
  expect(watcher.runtime.producers.list()).toContainEqual([producer, true]);
  expect(watcher.runtime.health()).toMatchObject({
    problems: [expect.stringMatching(`^block ${number}, for which `)],
    warnings: [],
  });
});

test('behavior: one node continues alone if two of three stop', async () => {
  const [first, second, third] = await cluster.startThree();
  await cluster.time.pass(5 * INTERVAL_MS);
  await second.stop();
  await third.stop();
  const before = first.ledger.blocks.head().number;
  await cluster.time.pass(MINUTE_MS);
  expect(first.ledger.blocks.head().number - before).toBeGreaterThan(20);
  expect(new Set(attemptsIn(first).slice(before))).toEqual(new Set([0, 1, 2]));
});

test('behavior: clocks that differ by half a minute do not delay production', async () => {
  await cluster.start({ keys: PRODUCERS.slice(0, 1), clockAhead: 25_000 });
  const late = await cluster.start({ keys: PRODUCERS.slice(1, 2), clockAhead: -5_000 });
  await cluster.time.pass(MINUTE_MS);
  // The third producer never was there.
  cluster.expectOne();
  expect(late.ledger.blocks.head().number).toBeGreaterThan(36);
});

test('behavior: a node that holds all keys produces every block at attempt 0', async () => {
  const node = await cluster.start({ keys: PRODUCERS });
  await cluster.time.pass(20 * INTERVAL_MS);
  expect([node.ledger.blocks.head().number, new Set(attemptsIn(node))]).toEqual([20, new Set([0])]);
});

test('behavior: a node without keys follows and produces no blocks', async () => {
  await cluster.startThree();
  const reader = await cluster.start();
  await cluster.time.pass(20 * INTERVAL_MS);
  cluster.expectOne();
  expect(reader.ledger.miner.isMining()).toBe(false);
});

test('behavior: a node that starts late imports all earlier blocks before it produces', async () => {
  const [first] = await cluster.startThree();
  await cluster.time.pass(30 * INTERVAL_MS);
  const late = await cluster.start({ keys: PRODUCERS.slice(0, 1) });
  expect(late.runtime.status.mayProduce()).toBe(false);
  await cluster.time.pass(1);
  expect(late.ledger.blocks.head()).toEqual(first.ledger.blocks.head());
  expect(late.runtime.status.mayProduce()).toBe(true);
});
