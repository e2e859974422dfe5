import { expect, test, vi } from 'vitest';
import { findOut, runSimulations } from './campaign.ts';
import { simulate } from './simulation.ts';

// As `scripts/simulation.js` puts it together.
vi.mock('../../src/evm/wasm-module.ts', async (original) =>
  (await import('./engine-pool.ts')).pooled(await original()),
);
vi.mock('../../src/protocol/keys/signature-module.ts', async (original) =>
  (await import('./computed-once.ts')).verifiedOnce(await original()),
);
vi.mock('../../src/protocol/curves/recovery.ts', async (original) =>
  (await import('./computed-once.ts')).recoveredOnce(await original()),
);

/** Milliseconds that a test of many runs may take on a machine that has other work. */
const MANY_MS = 240_000;

/** Seeds with which something did not hold once, each with what that was. */
const KEPT: readonly (readonly [seed: number, what: string])[] = [];

test.each(KEPT)('behavior: seed %i, once %s', async (seed) => {
  expect((await simulate(seed)).violations).toEqual([]);
});

test('behavior: the same seed does the same again', async () => {
  for (const seed of [1, 2, 3]) expect(await simulate(seed)).toEqual(await simulate(seed));
});

test('behavior: 20 runs cover every event of the simulation', { timeout: MANY_MS }, async () => {
  const summary = await runSimulations({ seeds: 20, seed: 1 });
  for (const count of Object.values(summary)) expect(count).toBeGreaterThan(10);
});

test.each([
  ['appendWithoutCompare', /another block|differs from that of the block log|at the position of block/],
  ['ambiguousIsFailure', /two blocks were signed/],
  ['withoutDedup', /is in the chain \d+ times/],
  ['withoutRecord', /two blocks were signed/],
  ['withoutRepeating', /has answered, is not in the chain/],
] as const)('behavior: the mutation %s is found out', { timeout: MANY_MS }, async (mutation, violation) => {
  const found = await findOut(mutation, { seeds: 60, seed: 1 });
  expect(found?.[0]).toMatch(violation);
});
