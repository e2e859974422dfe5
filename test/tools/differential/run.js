/**
 * Compares a ledgerd node with anvil on random transactions:
 * `node test/tools/differential/run.js --transactions 5000 --seed 1`. Ends with status 1 at the first difference.
 */

import { parseArgs } from 'node:util';
import { Differential } from './campaign.js';
import { RpcNode } from './node.js';
import { startAnvil, startLedgerd } from './start.js';

const { values } = parseArgs({
  options: { transactions: { type: 'string', default: '5000' }, seed: { type: 'string', default: '1' } },
});
const [transactions, seed] = [Number(values.transactions), Number(values.seed)];
console.log(`${transactions} transactions with seed ${seed}`);
const started = await Promise.all([startLedgerd(), startAnvil()]);
try {
  const [ledgerd, anvil] = started.map(({ name, url }) => new RpcNode(name, url));
  if (ledgerd === undefined || anvil === undefined) throw new RangeError('two nodes');
  const counts = await new Differential(ledgerd, anvil, seed).run(transactions, console.log);
  console.log(`no difference: ${JSON.stringify(counts)}`);
} finally {
  await Promise.all(started.map(({ stop }) => stop()));
}
