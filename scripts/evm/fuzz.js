/**
 * Compares the engine with `@ethereumjs/evm` on random programs: `npm run fuzz:evm -- --seconds N --seed S`.
 * The seed determines the cases. Findings are minimised and stored under test/evm/regressions, where the tests replay
 * them; the exit status is 1 then.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createViteServer } from 'vitest/node';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REGRESSIONS = join(ROOT, 'test/evm/regressions');
/** Maximum findings of a run. */
const FINDINGS = 5;
const PROGRESS_INTERVAL = 10_000;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
  },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed);
if (!(seconds > 0) || !Number.isSafeInteger(seed)) {
  console.error('usage: npm run fuzz:evm -- --seconds N --seed S, with N above 0 and a whole number S');
  process.exitCode = 2;
} else {
  await main();
}

async function main() {
  // The programs' generator is TypeScript, for the tests use it too.
  const server = await createViteServer({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    const fuzzing = await server.ssrLoadModule('/src/evm/testing/fuzz.testing.ts');
    const { storeScenario } = await server.ssrLoadModule('/src/evm/testing/scenario.testing.ts');
    await fuzz(fuzzing, storeScenario);
  } finally {
    await server.close();
  }
}

async function fuzz(fuzzing, storeScenario) {
  const engines = new Map();
  const started = Date.now();
  const elapsed = () => (Date.now() - started) / 1000;
  let index = 0;
  let findings = 0;
  let reported = Date.now();
  for (; elapsed() < seconds && findings < FINDINGS; index++) {
    const scenario = fuzzing.scenarioOf(seed, index);
    const { hardfork } = scenario;
    if (!engines.has(hardfork)) engines.set(hardfork, await fuzzing.createEngines(hardfork));
    const differences = await compare(fuzzing, engines.get(hardfork), scenario);
    if (differences.length > 0) {
      findings++;
      console.log(`seed ${seed}, case ${index}, ${hardfork}:\n  ${differences.join('\n  ')}`);
      await store(fuzzing, engines.get(hardfork), scenario, storeScenario, index);
    }
    if (Date.now() - reported > PROGRESS_INTERVAL) {
      reported = Date.now();
      console.error(`${index + 1} cases, ${findings} findings, ${elapsed().toFixed(0)} s`);
    }
  }
  const rate = (index / elapsed()).toFixed(1);
  console.log(`${index} cases, ${rate} a second, ${findings} findings`);
  if (findings > 0) process.exitCode = 1;
}

/** Compares a case; an exception is a finding as well. */
async function compare({ compareScenario }, engines, scenario) {
  try {
    return await compareScenario(engines, scenario);
  } catch (error) {
    return [String(error.stack ?? error)];
  }
}

async function store({ minimise }, engines, scenario, storeScenario, index) {
  const smallest = await minimise(engines, scenario);
  const path = join(REGRESSIONS, `${scenario.hardfork}-${seed}-${index}.json`);
  mkdirSync(REGRESSIONS, { recursive: true });
  writeFileSync(path, `${JSON.stringify(storeScenario(smallest), null, 2)}\n`);
  console.log(`stored as ${path}`);
}
