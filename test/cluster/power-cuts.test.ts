import { expect, test } from 'vitest';
import { NATS_SERVER } from '../../src/node/block-log/jetstream/nats-servers.testing.ts';
import { runPowerCuts } from './power-cuts.ts';

/** Set by `scripts/power-cuts.js`; without them there is nothing to do here. */
const CUTS = Number(process.env.POWER_CUTS ?? 0);
const SEED = Number(process.env.POWER_SEED ?? 0);
const IS_SYNCED = process.env.POWER_SYNCED !== '0';

/** Milliseconds that the start takes, and each cut with the look at all blocks after it. */
const AROUND_MS = 300_000;
const CUT_MS = 240_000;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

test.runIf(CUTS > 0 && NATS_SERVER === undefined)('behavior: skipped without nats-server', () => {
  print('no nats-server: NATS_SERVER names none, and there is none on the path; nothing was tested');
});

test.runIf(CUTS > 0 && NATS_SERVER !== undefined)(
  'behavior: a simultaneous power cut of all disks loses no acknowledged operation',
  { timeout: AROUND_MS + CUTS * CUT_MS },
  async () => {
    print(`${CUTS} power cuts with seed ${SEED}`);
    const { cuts, blocks, answered, longestMs, findings } = await runPowerCuts({
      ...{ cuts: CUTS, seed: SEED, isSynced: IS_SYNCED, report: print },
    });
    print(
      `${cuts} cuts, ${blocks} blocks, ${answered} transactions answered, the next block after up to ` +
        `${(longestMs / 1_000).toFixed(1)} s, ${findings.length} findings`,
    );
    expect(findings).toEqual([]);
  },
);
