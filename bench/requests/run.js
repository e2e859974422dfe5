/**
 * Measures what a request costs from its body to the text of its answer, without HTTP.
 * See ../README.md for the flags.
 */

import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { print, quantile, table } from '../timing.js';
import { workOn } from './work.js';
import { openWorld } from './world.js';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    against: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});

const HERE = fileURLToPath(new URL('../..', import.meta.url));
const WARM_UP_ROUNDS = 3;

const roots = flags.against === undefined ? [HERE] : [flags.against, HERE];
const worlds = [];
for (const root of roots) worlds.push(await openWorld(root));
const works = worlds.map((world) => workOn(world).filter(({ name }) => name.includes(flags.only)));

/** Microseconds of the processor for one request, or one of the parts of one. */
function costOf(world, { bodies, calls, parts = 1, withoutCalls = false }) {
  const run = () => {
    let characters = 0;
    for (let call = 0; call < calls; call += 1) {
      characters += world.handle(bodies[call % bodies.length]).length;
    }
    if (characters === 0) throw new Error('nothing was answered');
  };
  const began = process.cpuUsage();
  if (withoutCalls) world.withoutCalls(run);
  else run();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / calls / parts;
}

function requireSameAnswers(index) {
  if (worlds.length < 2) return;
  const [before, after] = worlds.map((world, side) => JSON.parse(world.handle(works[side][index].bodies[0])));
  if (Object.keys(before).join() !== Object.keys(after).join()) throw new Error('the answers differ');
}

function measure(index) {
  requireSameAnswers(index);
  const costs = worlds.map(() => []);
  for (let round = -WARM_UP_ROUNDS; round < Number(flags.rounds); round += 1) {
    for (const [side, world] of worlds.entries()) {
      const cost = costOf(world, works[side][index]);
      if (round >= 0) costs[side].push(cost);
    }
  }
  return costs;
}

const show = (microseconds) =>
  `${microseconds >= 100 ? microseconds.toFixed(0) : microseconds.toPrecision(3)} µs`;
const columns = roots.length === 1 ? ['median', 'least'] : ['before', 'after', 'least before', 'least after'];
const rows = works[0].map(({ name }, index) => {
  const costs = measure(index);
  return [name, ...[0.5, 0].flatMap((share) => costs.map((side) => show(quantile(side, share))))];
});
print(`${cpus().length} × ${cpus()[0].model}, Node.js ${process.version}, load ${loadavg()[0].toFixed(1)}\n`);
print(table([['request', ...columns], ...rows]));
for (const world of worlds) await world.close();
