/**
 * Compares a forked chain with anvil's, and with itself without a remote node: `npm run test:fork -- --seed 7`.
 * `--examples` prints an example of each difference that has a reason. Ends with status 1 if a response differs for no
 * reason of `differences.js`.
 */

import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Random } from '../differential/random.js';
import { install } from '../install.js';

/** Time limit of the comparison. */
const LIMIT_MS = 10 * 60_000;

/** @param {string} line */
const print = (line) => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, examples: { type: 'boolean', default: false } },
});
if (!/^\d{1,9}$/.test(values.seed)) throw new Error(`--seed takes a whole number, not ${values.seed}`);
const seed = Number(values.seed);
install(fileURLToPath(new URL('../', import.meta.url)));
// These imports exist only after the installation.
const { boundSuite } = await import('../harness/processes.js');
const { startRemote } = await import('./nodes.js');
const { buildWorld } = await import('./world.js');
const { compareWithAnvil } = await import('./beside-anvil.js');
const { compareWithPack } = await import('./offline.js');

print(`seed ${seed}`);
const unbound = boundSuite(LIMIT_MS);
const remote = await startRemote();
try {
  const world = await buildWorld(remote.endpoint, new Random(seed));
  print(`a remote chain of ${world.number} blocks, with ${world.holders.length} holders of a token\n`);
  const failures = [
    await compareWithAnvil(remote, world, new Random(seed), { print, hasExamples: values.examples }),
    await compareWithPack(remote, world, new Random(seed), print),
  ];
  const count = failures.reduce((sum, one) => sum + one, 0);
  print(count === 0 ? 'no difference without a reason' : `${count} failures with seed ${seed}`);
  process.exitCode = count === 0 ? 0 : 1;
} finally {
  await remote.stop();
  unbound();
}
