import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compareScenario, createEngines, scenarioOf } from '../testing/fuzz.testing.ts';
import { loadScenario, type StoredScenario, storeScenario } from '../testing/scenario.testing.ts';

/** Folder of the scenarios that the fuzzer found. */
const FOLDER = fileURLToPath(new URL('../../../test/evm/regressions/', import.meta.url));

const files = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith('.json')) : [];

test.each(files)('behavior: %s, which once differed, equals @ethereumjs/evm', async (name) => {
  const stored = JSON.parse(readFileSync(`${FOLDER}${name}`, 'utf8')) as StoredScenario;
  const scenario = loadScenario(stored);
  expect(await compareScenario(await createEngines(scenario.hardfork), scenario)).toEqual([]);
});

test('behavior: a scenario is the same after it was stored', () => {
  for (let index = 0; index < 24; index += 1) {
    const scenario = scenarioOf(7, index);
    const text = JSON.stringify(storeScenario(scenario));
    expect(loadScenario(JSON.parse(text) as StoredScenario)).toEqual(scenario);
  }
});

test('behavior: the cases of a run follow from its seed', () => {
  expect(scenarioOf(3, 10)).toEqual(scenarioOf(3, 10));
  expect(scenarioOf(3, 10)).not.toEqual(scenarioOf(4, 10));
});
