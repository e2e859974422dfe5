import { expect, test } from 'vitest';
import type { ProfileId } from '../../src/rpc/index.ts';
import { runCampaign } from './campaign.ts';

/** Each has its part of the time. */
const PROFILES: readonly ProfileId[] = ['ledger', 'ethereum'];

/** Set by `scripts/fuzz-rpc.js`; without them there is nothing to do here. */
const SECONDS = Number(process.env.FUZZ_SECONDS ?? 0);
const SEED = Number(process.env.FUZZ_SEED ?? 0);

/** Bytes by which the memory in use may grow from the end of the second round to the end of the last. */
const GROWTH_BETWEEN_ROUNDS = 16 * 2 ** 20;
/** Bytes that one round may take: its chain, its wallet and its filters are there until it ends. */
const GROWTH_WITHIN_ROUND = 64 * 2 ** 20;
/** Time for the last round to be closed. */
const ENDING_MS = 60_000;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

test.runIf(SECONDS > 0).each(PROFILES)(
  'behavior: no answer of %s that must not be, and no growing memory, for as long as it is asked for',
  { timeout: SECONDS * 1_000 + ENDING_MS },
  async (profile) => {
    const seconds = SECONDS / PROFILES.length;
    const end = performance.now() + seconds * 1_000;
    print(`fuzzing the interface ${profile} for ${seconds} s with seed ${SEED}`);
    const { cases, tally, memoryAfterRounds, growthWithinRounds } = await runCampaign({
      seed: SEED,
      profile,
      isOver: () => performance.now() >= end,
      report: print,
    });
    for (const line of tally.lines()) print(line);
    const [, second = 0] = memoryAfterRounds;
    const growth = second === 0 ? 0 : (memoryAfterRounds.at(-1) ?? 0) - second;
    print(
      `${cases} cases, ${Math.round(cases / seconds)} cases/s, ${memoryAfterRounds.length} rounds; memory: ` +
        `${memoryAfterRounds.map(mebibytes).join(', ')} after the rounds, ` +
        `at most ${mebibytes(growthWithinRounds)} more within one, ` +
        `${mebibytes(process.memoryUsage().rss)} resident at the end`,
    );
    expect(growth).toBeLessThan(GROWTH_BETWEEN_ROUNDS);
    expect(growthWithinRounds).toBeLessThan(GROWTH_WITHIN_ROUND);
  },
);
