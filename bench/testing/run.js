/** Measures test suites on ledgerd, anvil and hardhat, alternating. See ../README.md. */

import { execFileSync } from 'node:child_process';
import { outputOf, PROGRAM, readFlags } from '../harness/flags.js';
import { busyTable, Measured, resultRecords, resultTable } from '../harness/measured.js';
import { busyBetween, processorTimes } from '../harness/processor.js';
import { load, machine, writeReport } from '../harness/report.js';
import { withScratch } from '../harness/scratch.js';
import { loadContracts } from '../peers/contracts.js';
import { goalsFor } from '../peers/goals.js';
import { measureMemory } from '../peers/measure.js';
import { choosePeers, startPeer } from '../peers/peers.js';
import { loadWorld } from '../peers/world.js';
import { startInProcess } from './in-process.js';
import { TESTING_WORK } from './work.js';

const flags = readFlags({
  peers: 'ledgerd,anvil,hardhat',
  rounds: 5,
  tests: 500,
  only: '',
  program: PROGRAM,
  flags: '',
  output: outputOf('testing'),
});

const GROUP = 'testing';

/** Each round has its part of the tests. */
const options = {
  tests: Math.ceil(flags.tests / flags.rounds),
  program: flags.program,
  flags: flags.flags.split(' ').filter(Boolean),
};

/** Measures one piece of work on all peers. */
async function measure(work, peers) {
  const measured = new Measured(work, goalsFor(GROUP, work.name));
  await measured.measureRounds(peers, Math.min(flags.rounds, work.rounds), async (peer) => {
    const server = work.server?.(peer) ?? peer;
    const before = processorTimes(server);
    const value = await work.measure(peer, options);
    return { value, busy: busyBetween(before, processorTimes(server)) };
  });
  return measured;
}

function report(all, peers, loads, seconds) {
  const names = peers.map(({ name }) => name);
  const text = [
    '# Suites of tests\n',
    `${machine()}; load ${loads[0]} at the start, ${loads[1]} at the end. ` +
      `${peers.map(({ name, version }) => `${name} ${version}`).join(', ')}.`,
    `Medians of ${flags.rounds} rounds in turns, ± half the range, of 10,000 blocks of one; × says how many times ` +
      `better ledgerd is. ` +
      `${options.tests * flags.rounds} tests of each; ${Math.round(seconds)} s in all.\n`,
    resultTable(all, names),
    '\nProcessors that were busy: the node / the load / everything else on the machine.\n',
    busyTable(all, names),
  ].join('\n');
  const versions = Object.fromEntries(peers.map(({ name, version }) => [name, version]));
  const run = { machine: machine(), loads, seconds, versions };
  writeReport(flags.output, text, { ...run, results: resultRecords(all, names) });
}

const started = performance.now();
const before = load();
await withScratch(GROUP, async (folder) => {
  const own = { ...options, folder, mostMemory: Infinity };
  // The checkout is built by its first start, which is not to be measured.
  execFileSync(process.execPath, [options.program, '--version'], { stdio: 'ignore' });
  const contracts = loadContracts();
  const peers = [];
  const isChosen = ({ name }) => flags.only === '' || flags.only.split(',').includes(name);
  try {
    for (const definition of choosePeers(flags.peers, options)) {
      const peer = await startPeer(definition, own);
      peers.push({ ...peer, world: undefined, inProcess: undefined });
      peers.at(-1).world = await loadWorld(peer, contracts);
      if (isChosen({ name: 'suite in process' })) peers.at(-1).inProcess = await startInProcess(peer, own);
    }
    const all = [];
    for (const work of TESTING_WORK.filter(isChosen)) all.push(await measure(work, peers));
    all.push(measureMemory(peers));
    report(all, peers, [before, load()], (performance.now() - started) / 1_000);
    process.exitCode = all.some((measured) => measured.failure('ledgerd') !== undefined) ? 1 : 0;
  } finally {
    await Promise.all(peers.flatMap(({ stop, inProcess }) => [stop(), inProcess?.stop()]));
  }
});
