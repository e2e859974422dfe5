import { describe, expect, test } from 'vitest';
import { runWithEngine, runWithOracle, type Scenario, ScenarioHost } from './differential.testing.ts';
import { Engine } from './index.ts';
import { createRandom, randomBytes, randomProgram } from './random-program.testing.ts';

const CONTRACTS = 4;
const BATCHES = 10;
const SCENARIOS_PER_BATCH = 40;

/** The scenario of a seed. */
function randomScenario(seed: number): Scenario {
  const random = createRandom(seed);
  const contracts = Array.from({ length: CONTRACTS }, (_, index) =>
    randomProgram(random, CONTRACTS, index + 1, 3 + random.below(14)),
  );
  const creates = random.below(8) === 0;
  return {
    contracts,
    target: creates ? undefined : random.below(2),
    data: creates ? randomProgram(random, CONTRACTS, 0, 6) : randomBytes(random, random.below(80)),
    value: random.below(3) ? 0n : BigInt(random.below(100)),
    gas: BigInt(random.pick([150_000, 1_000_000, 5_000_000]) + random.below(50_000)),
  };
}

describe('random programs', () => {
  const seeds = Array.from({ length: BATCHES }, (_, batch) => batch * SCENARIOS_PER_BATCH);

  test.each(seeds)('behavior: as @ethereumjs/evm does, from seed %i on', async (firstSeed) => {
    const host = new ScenarioHost();
    const engine = await Engine.create({ hardfork: 'cancun', host });
    for (let seed = firstSeed; seed < firstSeed + SCENARIOS_PER_BATCH; seed += 1) {
      const scenario = randomScenario(seed);
      const expected = await runWithOracle(scenario);
      const actual = runWithEngine(engine, host, scenario);
      expect({ seed, ...actual }).toEqual({ seed, ...expected });
    }
  });
});
