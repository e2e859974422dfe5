import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leaderOf, NatsServers } from '../../src/node/block-log/jetstream/nats-servers.testing.ts';
import { describeWithServers } from '../../src/node/block-log/jetstream/with-server.testing.ts';
import { ClusterNode, makeClusterChain } from './cluster-nodes.ts';

const WAIT_MS = 240_000;
const LOOK_MS = 50;
const HERE = { address: '127.0.0.1', wrapper: [] };

/** Metrics of a node by name. */
type Metrics = ReadonlyMap<string, number>;

async function metricsOf({ url }: ClusterNode): Promise<Metrics> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith('ledgerd_'));
  return new Map(lines.map((line) => [line.replace(/ \S+$/, ''), Number(/\S+$/.exec(line)?.[0])] as const));
}

describeWithServers('metrics of a cluster', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-metrics-'));
  let servers: NatsServers;
  let nodes: readonly ClusterNode[] = [];

  beforeAll(async () => {
    servers = await NatsServers.start({ count: 3 });
    const { folders } = await makeClusterChain(folder, 1);
    nodes = folders.map((path, index) => new ClusterNode(`node-${index + 1}`, path, HERE, servers));
    await Promise.all(nodes.map((node) => node.start()));
  }, WAIT_MS);

  afterAll(async () => {
    await Promise.allSettled(nodes.map((node) => node.kill()));
    await servers?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The metrics of all nodes, once they are as they have to be. */
  async function once(condition: (metrics: Metrics, index: number) => boolean): Promise<readonly Metrics[]> {
    for (;;) {
      const all = await Promise.all(nodes.map(metricsOf));
      if (all.every(condition)) return all;
      await delay(LOOK_MS);
    }
  }

  test('behavior: appends are counted, no node lags, and each node observes a leader election', {
    timeout: WAIT_MS,
  }, async () => {
    const appended = (metrics: Metrics): number =>
      metrics.get('ledgerd_log_appends_total{outcome="appended"}') ?? 0;
    const before = await once(
      (metrics) =>
        appended(metrics) > 0 && metrics.get('ledgerd_lag_blocks') === 0 && elections(metrics) >= 0,
    );
    await servers.signal(await leaderOf(servers), 'SIGKILL');
    const after = await once((metrics, index) => elections(metrics) > elections(before[index]));
    const later = await once((metrics, index) => appended(metrics) > appended(after[index] ?? metrics));
    for (const metrics of later) {
      expect(metrics.get('ledgerd_log_halted')).toBe(0);
      expect(metrics.get('ledgerd_log_losses_total')).toBeGreaterThan(0);
    }
    // Two blocks of a number have never had a place: what all appended together is no more than there is.
    const most = (await once(() => true)).map((metrics) => metrics.get('ledgerd_log_height') ?? 0);
    expect(later.reduce((sum, metrics) => sum + appended(metrics), 0)).toBeLessThanOrEqual(Math.max(...most));
  });
});

function elections(metrics: Metrics | undefined): number {
  return metrics?.get('ledgerd_log_elections_total') ?? Number.NaN;
}
