import { expect, test } from 'vitest';
import { runSnapshotCampaign } from './campaign.ts';
import { runUndoneAnswers } from './undone-answers.ts';

/** Set by `scripts/snapshots.js`; without them there is nothing to do here. */
const SEQUENCES = Number(process.env.SNAPSHOTS_SEQUENCES ?? 0);
const SEED = Number(process.env.SNAPSHOTS_SEED ?? 0);
const WORKERS = Number(process.env.SNAPSHOTS_WORKERS ?? 0);

/** Milliseconds that a campaign may take, and each sequence of it. */
const CAMPAIGN_MS = 120_000;
const SEQUENCE_MS = 2_000;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

test.runIf(SEQUENCES > 0 && WORKERS === 0)(
  'behavior: every revert restores all tables, for any number of sequences',
  { timeout: CAMPAIGN_MS + SEQUENCES * SEQUENCE_MS },
  async () => {
    print(`${SEQUENCES} sequences with seed ${SEED}`);
    const summary = await runSnapshotCampaign({ sequences: SEQUENCES, seed: SEED, report: print });
    print(
      Object.entries(summary)
        .map(([name, count]) => `${name} ${count}`)
        .join(', '),
    );
    expect(summary.sequences).toBe(SEQUENCES);
  },
);

test.runIf(SEQUENCES > 0 && WORKERS > 0)(
  'behavior: after every revert no response contains reverted data, from any source',
  { timeout: CAMPAIGN_MS + SEQUENCES * SEQUENCE_MS },
  async () => {
    print(`${SEQUENCES} sequences with seed ${SEED} and ${WORKERS} workers`);
    const options = { sequences: SEQUENCES, seed: SEED, workers: WORKERS, report: print };
    print(JSON.stringify(await runUndoneAnswers(options)));
  },
);
