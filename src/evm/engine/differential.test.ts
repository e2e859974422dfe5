import { describe, expect, test } from 'vitest';
import { HARDFORKS } from '../index.ts';
import { compareScenario, createEngines } from '../testing/fuzz.testing.ts';
import { randomScenario } from '../testing/scenario.testing.ts';

const BATCHES = 2;
const SCENARIOS_PER_BATCH = 40;

describe.each(HARDFORKS)('random programs of %s', (hardfork) => {
  const seeds = Array.from({ length: BATCHES }, (_, batch) => batch * SCENARIOS_PER_BATCH);

  test.each(seeds)('behavior: as @ethereumjs/evm does, from seed %i on', async (firstSeed) => {
    const engines = await createEngines(hardfork);
    for (let seed = firstSeed; seed < firstSeed + SCENARIOS_PER_BATCH; seed += 1) {
      const differences = await compareScenario(engines, randomScenario(seed, hardfork));
      expect({ seed, differences }).toEqual({ seed, differences: [] });
    }
  });
});
