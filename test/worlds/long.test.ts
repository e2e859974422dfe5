import { expect, test } from 'vitest';
import { runWorldsCampaign } from './campaign.ts';

/** Set by `scripts/worlds.js`; without them there is nothing to do here. */
const SEQUENCES = Number(process.env.WORLDS_SEQUENCES ?? 0);
const SEED = Number(process.env.WORLDS_SEED ?? 0);

/** Milliseconds that a campaign may take, and each sequence of it. */
const CAMPAIGN_MS = 120_000;
const SEQUENCE_MS = 2_000;

test.runIf(SEQUENCES > 0)(
  'behavior: native and Ethereum operations interleave, for any number of them',
  { timeout: CAMPAIGN_MS + SEQUENCES * SEQUENCE_MS },
  async () => {
    const print = (line: string): void => void process.stdout.write(`${line}\n`);
    print(`${SEQUENCES} sequences with seed ${SEED}`);
    const summary = await runWorldsCampaign({ sequences: SEQUENCES, seed: SEED, report: print });
    print(
      Object.entries(summary)
        .map(([name, count]) => `${name} ${count}`)
        .join(', '),
    );
    expect(summary.sequences).toBe(SEQUENCES);
  },
);
