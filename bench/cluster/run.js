/** Measures a shared block log. See ../README.md for the flags. */

import { numbersOf, outputOf, PROGRAM, readFlags } from '../harness/flags.js';
import { load, machine, writeReport } from '../harness/report.js';
import { withScratch } from '../harness/scratch.js';
import { catchUpTable, measureCatchUp } from './catch-up.js';
import { measureReads, readsTable } from './reads.js';

const flags = readFlags({
  part: 'catch-up,reads',
  blocks: 20_000,
  every: '0,4',
  rounds: 5,
  seconds: 5,
  nats: process.env.NATS_SERVER ?? 'nats-server',
  haproxy: 'haproxy',
  programs: PROGRAM,
  output: outputOf('cluster'),
});

const { blocks, rounds, seconds, nats, haproxy } = flags;
const programs = flags.programs.split(',');
const parts = flags.part.split(',');
/** @type {string[]} */
const text = [`# A log that several nodes share\n\n${machine()}.`];
/** @type {Record<string, unknown>} */
const measured = {};

/**
 * @param {string} name
 * @param {string} title
 * @param {() => Promise<readonly [figures: unknown, table: string]>} action
 */
async function part(name, title, action) {
  if (!parts.includes(name)) return;
  const before = load();
  const [figures, table] = await action();
  measured[name] = figures;
  text.push(`## ${title}\n\n${table}\n\nLoad ${before} before, ${load()} after.`);
}

await withScratch('cluster', async (scratch) => {
  await part('catch-up', 'A late node', async () => {
    /** @type {[string, Awaited<ReturnType<typeof measureCatchUp>>][]} */
    const chains = [];
    for (const every of numbersOf(flags.every)) {
      const results = await measureCatchUp({ blocks, every, rounds, programs, nats, scratch });
      chains.push([every === 0 ? 'empty' : `a transfer in every ${every}th`, results]);
    }
    return [chains, catchUpTable(chains, programs)];
  });
  await part('reads', 'Reads of three nodes and of one', async () => {
    const [program = PROGRAM] = programs;
    const results = await measureReads({ rounds, seconds, program, nats, haproxy, scratch });
    return [results, readsTable(results)];
  });
  writeReport(flags.output, text.join('\n\n'), { machine: machine(), flags, ...measured });
});
