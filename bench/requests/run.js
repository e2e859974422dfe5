/** Measures a request from its body to the text of its response, without HTTP. See ../README.md for the flags. */

import { fileURLToPath } from 'node:url';
import { readFlags } from '../harness/flags.js';
import { load, machine, print, quantile, showMicroseconds, table } from '../harness/report.js';
import { inTurn, measured } from '../harness/rounds.js';
import { workOn } from './work.js';
import { openWorld } from './world.js';

const flags = readFlags({ rounds: 15, against: '', only: '' });

const HERE = fileURLToPath(new URL('../..', import.meta.url));
const WARM_UP_ROUNDS = 3;

/** The builds that are measured, each with its work. */
const sides = [];
for (const root of flags.against === '' ? [HERE] : [flags.against, HERE]) {
  const world = await openWorld(root);
  const work = workOn(world).filter(({ name }) => name.includes(flags.only));
  sides.push({ world, work, costs: work.map(() => /** @type {number[]} */ ([])) });
}

/**
 * Microseconds of the processor for one request.
 *
 * @param {import('./world.js').World} world
 * @param {import('./work.js').Work} work
 */
function costOf(world, { bodies, calls, withoutCalls = false }) {
  const run = () => {
    let characters = 0;
    for (let call = 0; call < calls; call += 1) {
      characters += world.handle(bodies[call % bodies.length]).length;
    }
    if (characters === 0) throw new Error('there was no response');
  };
  const { taken } = measured(() => (withoutCalls ? world.withoutCalls(run) : run()));
  return (1_000 * taken.processorMs) / calls;
}

/**
 * Requires a result of each build: an error would take less time. It may have members that the earlier build does not
 * have yet.
 *
 * @param {number} index of the work
 */
function requireResults(index) {
  for (const { world, work } of sides) {
    const { name, bodies: [body] = [] } = work[index] ?? {};
    const { result, error } = JSON.parse(world.handle(body));
    if (result === undefined) throw new Error(`${name} failed: ${JSON.stringify(error)}`);
  }
}

const [{ work: rows = [] } = {}] = sides;
for (const index of rows.keys()) {
  requireResults(index);
  for (let round = -WARM_UP_ROUNDS; round < flags.rounds; round += 1) {
    for (const { world, work, costs } of inTurn(sides, round)) {
      const one = work[index];
      if (one === undefined) continue;
      const cost = costOf(world, one);
      if (round >= 0) costs[index]?.push(cost);
    }
  }
}
const columns = sides.length === 1 ? ['median', 'least'] : ['before', 'after', 'least before', 'least after'];
print(`${machine()}, load ${load()}\n`);
print(
  table([
    ['request', ...columns],
    ...rows.map(({ name }, index) => [
      name,
      ...[0.5, 0].flatMap((share) =>
        sides.map(({ costs }) => showMicroseconds(quantile(costs[index] ?? [], share))),
      ),
    ]),
  ]),
);
for (const { world } of sides) await world.close();
