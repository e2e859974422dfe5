import { expect, test, vi } from 'vitest';
import type { EvmImports } from '../../src/evm/wasm-module.ts';
import { describeSummary, findOut, runSimulations } from './campaign.ts';
import { simulate } from './simulation.ts';

vi.mock('../../src/evm/wasm-module.ts', async (original) => {
  const real = await original<typeof import('../../src/evm/wasm-module.ts')>();
  const { enginePool } = await import('./engine-pool.ts');
  const instantiateEvm = (module: WebAssembly.Module, imports: EvmImports) =>
    enginePool.instantiate(module, imports, real.instantiateEvm);
  return { ...real, instantiateEvm };
});

/** Set by `scripts/simulation.js`; without them few are run. */
const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 0);
const SEED = Number(process.env.SIMULATION_SEED ?? 0);

/** Milliseconds that a campaign may take, and each run of it. */
const CAMPAIGN_MS = 120_000;
const RUN_MS = 5_000;

/** Seeds with which something did not hold once, each with what that was. */
const KEPT: readonly (readonly [seed: number, what: string])[] = [];

test.runIf(SEEDS > 0)(
  'behavior: clusters with everything that goes wrong in them, however many there are',
  { timeout: CAMPAIGN_MS + SEEDS * RUN_MS },
  async () => {
    const print = (line: string): void => void process.stdout.write(`${line}\n`);
    print(`${SEEDS} runs from seed ${SEED} on`);
    const summary = await runSimulations({ seeds: SEEDS, seed: SEED, report: print });
    print(describeSummary(summary));
    expect(summary.runs).toBe(SEEDS);
  },
);

test.skipIf(SEEDS > 0).each(KEPT)('behavior: seed %i, once %s', async (seed) => {
  expect((await simulate(seed)).violations).toEqual([]);
});

test.skipIf(SEEDS > 0)('behavior: the same seed does the same again', async () => {
  for (const seed of [1, 2, 3]) expect(await simulate(seed)).toEqual(await simulate(seed));
});

test.skipIf(SEEDS > 0)('behavior: in 20 runs everything happens that a run is for', async () => {
  const summary = await runSimulations({ seeds: 20, seed: 1 });
  for (const count of Object.values(summary)) expect(count).toBeGreaterThan(10);
});

test.skipIf(SEEDS > 0).each([
  ['appendWithoutCompare', /another block|in the place of block/],
  ['ambiguousIsFailure', /two blocks were signed/],
  ['withoutDedup', /is in the chain \d+ times/],
  ['withoutRecord', /two blocks were signed/],
  ['withoutRepeating', /has answered, is not in the chain/],
] as const)('behavior: the mutation %s is found out', async (mutation, violation) => {
  const found = await findOut(mutation, { seeds: 60, seed: 1 });
  expect(found?.[0]).toMatch(violation);
});
