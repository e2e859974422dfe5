/**
 * Measures ledgerd beside anvil, hardhat and ganache: the same contracts, the same work, in turns. See ../README.md
 * for the flags.
 */

import { execFileSync } from 'node:child_process';
import { outputOf, PROGRAM, readFlags } from '../harness/flags.js';
import { busyTable, resultRecords, resultTable, TOOL_BUSY } from '../harness/measured.js';
import { load, machine, print, showProgress, writeReport } from '../harness/report.js';
import { withScratch } from '../harness/scratch.js';
import { hasWrk } from '../harness/wrk.js';
import { loadContracts } from './contracts.js';
import { LOG_WORK, loadLogs } from './logs.js';
import { measureMemory, measureStarts, measureWork } from './measure.js';
import { choosePeers, startPeer } from './peers.js';
import { READ_WORK } from './reads.js';
import { loadWorld } from './world.js';
import { WRITE_WORK } from './writes.js';

const flags = readFlags({
  peers: 'ledgerd,anvil,hardhat,ganache',
  rounds: 5,
  seconds: 3,
  'warm-up': 1,
  writes: 512,
  'log-blocks': 20_000,
  'most-memory': 10_000,
  only: '',
  program: PROGRAM,
  base: '',
  flags: '',
  output: outputOf('peers'),
});

const options = {
  rounds: flags.rounds,
  seconds: flags.seconds,
  warmUp: flags['warm-up'],
  writes: flags.writes,
  logBlocks: flags['log-blocks'],
  mostMemory: flags['most-memory'],
  program: flags.program,
  base: flags.base,
  flags: flags.flags.split(' ').filter(Boolean),
};

/** The groups in their order; `prepare` is done for each peer before them. */
const GROUPS = [
  { name: 'reads', work: READ_WORK },
  { name: 'writes', work: WRITE_WORK },
  { name: 'logs', work: LOG_WORK, prepare: loadLogs },
];

const words = flags.only.split(',').filter(Boolean);
const isChosen = (group, { name, title }) =>
  words.length === 0 || words.some((word) => `${group} ${name} ${title}`.includes(word));

function chooseGroups() {
  const isUsable = ({ tool }) => tool !== 'wrk' || hasWrk();
  if (!hasWrk()) print('wrk is not installed: the reads are left out.');
  return GROUPS.map((group) => ({
    ...group,
    work: group.work.filter((work) => isChosen(group.name, work) && isUsable(work)),
  })).filter(({ work }) => work.length > 0);
}

/** Starts a peer and makes its world. */
async function begin(definition, prepare) {
  showProgress(`${definition.name}: contracts and accounts\n`);
  /** @type {any} */
  const peer = await startPeer(definition, options);
  try {
    peer.world = await loadWorld(peer, options.contracts);
    await prepare?.(peer, options, showProgress);
    return peer;
  } catch (error) {
    await peer.stop();
    throw error;
  }
}

/** Starts those anew that have ended, and does with them what had been done before. */
async function revive(definitions, peers, prepare) {
  for (const [index, peer] of peers.entries()) {
    if (peer.endedWith() === undefined) continue;
    await peer.stop();
    peers[index] = await begin(definitions[index], prepare);
  }
}

async function measureGroups(definitions, groups, all) {
  const peers = [];
  try {
    for (const definition of definitions) peers.push(await begin(definition));
    for (const { name, work, prepare } of groups) {
      await revive(definitions, peers);
      for (const peer of peers) await prepare?.(peer, options, showProgress);
      for (const one of work) {
        await revive(definitions, peers, prepare);
        all.push(await measureWork(one, name, peers, options));
      }
    }
    await revive(definitions, peers);
    all.push(measureMemory(peers));
    return peers;
  } finally {
    await Promise.all(peers.map((peer) => peer.stop()));
  }
}

function report(all, peers, loads, minutes) {
  const names = peers.map(({ name }) => name);
  const text = [
    '# ledgerd and its peers\n',
    `${machine()}; load ${loads[0]} at the start, ${loads[1]} at the end. ` +
      `${peers.map(({ name, version }) => `${name} ${version}`).join(', ')}.`,
    `Medians of ${options.rounds} rounds, ± half the range; × says how many times better ledgerd is. ` +
      `\\* The load took ${TOOL_BUSY} of a processor or more: it may be what was measured. ` +
      `A chain of ${options.logBlocks} blocks is asked for logs; ${minutes.toFixed(1)} minutes in all.\n`,
    resultTable(all, names),
    '\n## What was busy\n',
    'Processors: the node / the load / everything else on the machine.\n',
    busyTable(all, names),
  ].join('\n');
  const chosen = { ...options, contracts: undefined, folder: undefined };
  const run = { machine: machine(), loads, minutes, options: chosen };
  const versions = Object.fromEntries(peers.map(({ name, version }) => [name, version]));
  writeReport(flags.output, text, { ...run, versions, results: resultRecords(all, names) });
  print(`\nWritten to ${flags.output}: table.md, results.json.`);
}

const started = performance.now();
const before = load();
await withScratch('peers', async (folder) => {
  options.folder = folder;
  const definitions = choosePeers(flags.peers, options);
  const groups = chooseGroups();
  // A checkout is built by its first start, which must not be measured.
  for (const program of [options.program, options.base].filter(Boolean))
    execFileSync(process.execPath, [program, '--version'], { stdio: 'ignore' });
  options.contracts = loadContracts();
  const all = isChosen('starts', { name: 'start-up', title: 'memory' })
    ? await measureStarts(definitions, options)
    : [];
  const peers = await measureGroups(definitions, groups, all);
  report(all, peers, [before, load()], (performance.now() - started) / 60_000);
  process.exitCode = all.some((measured) => measured.failure('ledgerd') !== undefined) ? 1 : 0;
});
