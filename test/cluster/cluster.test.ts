import { expect, test } from 'vitest';
import { NATS_SERVER } from '../../src/node/block-log/jetstream/nats-servers.testing.ts';
import { type Pause, runClusterCampaign } from './campaign.ts';

/** Set by `scripts/cluster.js`; without them there is nothing to do here. */
const SECONDS = Number(process.env.CLUSTER_SECONDS ?? 0);
const SEED = Number(process.env.CLUSTER_SEED ?? 0);

/** Milliseconds that starting, the last round and the comparison of all blocks may take. */
const AROUND_MS = 300_000;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The pause that 95 of 100 stay below, in milliseconds. */
function percentile95(pauses: readonly Pause[]): number {
  const sorted = pauses.map(({ ms }) => ms).sort((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
}

test.runIf(SECONDS > 0 && NATS_SERVER === undefined)('behavior: skipped without nats-server', () => {
  print('no nats-server: NATS_SERVER names none, and there is none on the path; nothing was tested');
});

test.runIf(SECONDS > 0 && NATS_SERVER !== undefined)(
  'behavior: a cluster loses and duplicates no operation and does not fork, whichever process dies',
  { timeout: AROUND_MS + 2_000 * SECONDS },
  async () => {
    print(`a cluster under load for ${SECONDS} s with seed ${SEED}`);
    const { pauses, blocks, answered, canCut, findings } = await runClusterCampaign({
      ...{ seconds: SECONDS, seed: SEED, report: print },
    });
    if (!canCut) print('machines were not cut off: that takes network namespaces, which only root may make');
    for (const kind of ['node', 'leader', 'server', 'machine']) {
      const own = pauses.filter(({ fault }) => fault.endsWith(kind));
      const longest = Math.max(0, ...own.map(({ ms }) => ms));
      print(
        `${kind}: ${own.length} faults, pauses up to ${(longest / 1_000).toFixed(1)} s, ` +
          `95 % up to ${(percentile95(own) / 1_000).toFixed(1)} s`,
      );
    }
    print(`${blocks} blocks, ${answered} transactions answered, ${findings.length} findings`);
    expect(findings).toEqual([]);
  },
);
