import { afterEach, beforeEach, expect, test } from 'vitest';
import { BLOCK_LOG_RETRY_MS, BlockLogUnavailableError } from './block-log.ts';
import { Cluster, INTERVAL_MS } from './cluster.testing.ts';

let cluster: Cluster;

beforeEach(() => {
  cluster = new Cluster();
});

afterEach(() => cluster.clean());

test('behavior: appends to a log that accepts no blocks are retried at the retry interval', {
  timeout: 20_000,
}, async () => {
  const nodes = await cluster.startThree();
  const refuse = () => Promise.reject(new BlockLogUnavailableError('there is no room'));
  for (const { log } of nodes) log.appending = refuse;
  await cluster.time.pass(10 * INTERVAL_MS);
  for (const { runtime, log } of nodes) {
    const tries = runtime.status.blockLog?.()?.appends.unavailable ?? 0;
    expect(tries).toBeGreaterThan(5);
    expect(tries).toBeLessThanOrEqual((10 * INTERVAL_MS) / BLOCK_LOG_RETRY_MS);
    log.appending = async (append) => append();
  }
  await cluster.time.pass(INTERVAL_MS);
  expect(cluster.log.blocks.length).toBeGreaterThan(0);
  await cluster.time.pass(10 * INTERVAL_MS);
  cluster.expectOne();
});
