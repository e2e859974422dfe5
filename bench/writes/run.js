/** Measures the speed of writes on ledgerd and anvil, alternating. See ../README.md for the flags. */

import { execFileSync } from 'node:child_process';
import { outputOf, PROGRAM, readFlags } from '../harness/flags.js';
import { load, machine, showProgress, writeReport } from '../harness/report.js';
import { inTurn } from '../harness/rounds.js';
import { withScratch } from '../harness/scratch.js';
import { peersOf } from './peers.js';
import { recordsOf, reportOf } from './report.js';
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
 * Measures a row on its peers, which alternate. A peer that fails is left out of the remaining rounds.
 *
 * @param {import('./rows.js').Row} row
 * @param {readonly import('./peers.js').Peer[]} all
 * @param {import('./rows.js').Options} options
 * @returns {Promise<import('./report.js').Measured>}
 */
async function measure(row, all, options) {
  const peers = all.filter(({ program }) => program !== undefined || row.hasAnvil);
  /** @type {import('./report.js').Result[]} */
  const results = peers.map(({ name }) => ({ name, outcomes: [], failure: '' }));
  const plan = await row.prepare(options);
  for (let round = 0; round < flags.rounds; round += 1) {
    for (const index of inTurn([...peers.keys()], round)) {
      const [peer, result] = [peers[index], results[index]];
      if (result.failure !== '') continue;
      showProgress(`${row.name}: round ${round + 1}, ${peer.name}\n`);
      try {
        result.outcomes.push(await row.measure(peer, plan, options));
      } catch (error) {
        result.failure = error.message;
      }
    }
  }
  return { row, results };
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
  const run = { ...flags, programs, loads: [before, load()], machine: machine() };
  writeReport(flags.output, reportOf(all, run), { ...run, rows: recordsOf(all) });
  const isFailed = ({ results }) => results.some(({ name, failure }) => failure !== '' && name !== 'anvil');
  process.exitCode = all.some(isFailed) ? 1 : 0;
});
