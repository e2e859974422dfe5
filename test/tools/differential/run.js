/**
 * Compares a ledgerd node with anvil on random transactions:
 * `npm run test:differential -- --transactions 5000 --seed 1`. Ends with status 1 at the first difference.
 */

import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Endpoint } from '../harness/endpoint.js';
import { boundSuite } from '../harness/processes.js';
import { install } from '../install.js';
import { startAnvil, startLedgerd } from './start.js';

/** Time limit of a campaign. */
const LIMIT_MS = 2 * 3_600_000;

/** @param {string} line */
const print = (line) => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: { transactions: { type: 'string', default: '5000' }, seed: { type: 'string', default: '1' } },
});
const [transactions, seed] = [Number(values.transactions), Number(values.seed)];
print(`${transactions} transactions with seed ${seed}`);
install(fileURLToPath(new URL('../', import.meta.url)));
// The campaign's imports exist only after the installation.
const { Differential } = await import('./campaign.js');
const unbound = boundSuite(LIMIT_MS);
const started = await Promise.all([startLedgerd(), startAnvil()]);
try {
  const [ledgerd, anvil] = started.map(({ url }) => new Endpoint(url));
  if (ledgerd === undefined || anvil === undefined) throw new RangeError('two nodes');
  const counts = await new Differential(ledgerd, anvil, seed).run(transactions, print);
  print(`no difference: ${JSON.stringify(counts)}`);
} finally {
  await Promise.all(started.map(({ stop }) => stop()));
  unbound();
}
