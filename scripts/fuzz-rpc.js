/**
 * Sends hostile requests to a node of its own for a while: `node scripts/fuzz-rpc.js --seconds 60 --seed 1`.
 * Ends with status 1 at the first answer that must not be, and prints what is needed to see it again.
 * The fuzzer itself is TypeScript beside the tests, which Vitest runs from the sources.
 */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Math.floor(Date.now() / 1_000)) },
  },
});
for (const [name, value] of Object.entries(values)) {
  if (!/^\d{1,10}$/.test(value)) {
    console.error(`--${name} takes a whole number, got ${value}`);
    process.exit(1);
  }
}

const { status } = spawnSync(
  process.execPath,
  [VITEST, 'run', 'test/fuzz/long.test.ts', '--disable-console-intercept', '--reporter=dot'],
  {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, FUZZ_SECONDS: values.seconds, FUZZ_SEED: values.seed },
  },
);
process.exitCode = status ?? 1;
