/** Measures the speed of writes on ledgerd and anvil, alternating. See ../README.md for the flags. */

import { execFileSync } from 'node:child_process';
import { ANVIL_PACKAGE } from '../harness/anvil.js';
import { outputOf, PROGRAM, readFlags } from '../harness/flags.js';
import { busyTable, Measured, resultRecords, resultTable } from '../harness/measured.js';
import { load, machine, showCount, writeReport } from '../harness/report.js';
import { withScratch } from '../harness/scratch.js';
import { peersOf } from './peers.js';
import { ROWS } from './rows.js';

const flags = readFlags({
  rounds: 3,
  transfers: 12_800,
  only: '',
  program: PROGRAM,
  programs: '',
  output: outputOf('writes'),
});

const programs = (flags.programs || flags.program).split(',');
const only = flags.only.split(',').filter(Boolean);
const chosen = ROWS.filter(({ name }) => only.length === 0 || only.includes(name));
const unknown = only.filter((name) => ROWS.every((row) => row.name !== name));
if (unknown.length > 0) throw new Error(`--only has unknown rows: ${unknown.join(', ')}`);

/**
 * Measures a row on its peers.
 *
 * @param {import('./rows.js').Row} row
 * @param {readonly import('./peers.js').Peer[]} all
 * @param {import('./rows.js').Options} options
 */
async function measure(row, all, options) {
  const peers = all.filter(({ program }) => program !== undefined || row.hasAnvil);
  const measured = new Measured(row, [row.goal]);
  const plan = await row.prepare(options);
  await measured.measureRounds(peers, flags.rounds, (peer) => row.measure(peer, plan, options));
  return measured;
}

/** The notes of the last rounds. */
function notesOf({ name, peers }) {
  return Object.entries(peers).flatMap(([peer, { outcomes }]) => {
    const note = outcomes.at(-1)?.note;
    return note === undefined ? [] : [`\n- ${name}, ${peer}, last round: ${note}`];
  });
}

function report(all, names, loads) {
  const text = [
    '# Writes\n',
    `${machine()}; load ${loads[0]} at the start, ${loads[1]} at the end; ${ANVIL_PACKAGE}. Medians of ` +
      `${flags.rounds} alternating rounds, ± half the range; up to ${showCount(flags.transfers)} transfers in a round.`,
    programs.length > 1
      ? `${programs.map((program, index) => `ledgerd ${index + 1}: ${program}`).join('; ')}\n`
      : '',
    resultTable(all, names),
    '\nProcessors that were busy: the node / the generator / everything else; CPU time of the node (all threads) for ' +
      'a transaction.\n',
    busyTable(all, names),
    ...all.flatMap(notesOf),
  ].join('\n');
  const run = { ...flags, programs, loads, machine: machine() };
  writeReport(flags.output, text, { ...run, rows: resultRecords(all, names) });
}

// The harness ends the nodes with this process.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const before = load();
// A checkout is built by its first start, which is not to be measured.
for (const program of programs) execFileSync(process.execPath, [program, '--version'], { stdio: 'ignore' });
await withScratch('writes', async (scratch) => {
  const options = { transfers: flags.transfers, scratch, programs };
  const peers = peersOf(programs);
  const all = [];
  for (const row of chosen) all.push(await measure(row, peers, options));
  report(
    all,
    peers.map(({ name }) => name),
    [before, load()],
  );
  const isFailed = (measured) =>
    peers.some(({ name, program }) => program && measured.failure(name) !== undefined);
  process.exitCode = all.some(isFailed) ? 1 : 0;
});
