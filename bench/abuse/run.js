/**
 * Measures how long faithful clients wait before, during and after each of several attacks on a node with a small heap,
 * whether that meets the goals, and whether the node lives. See ../README.md for the flags. Ends with status 1 when an
 * attack has ended the node.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { call } from '../../test/rpc-client.js';
import { numbersOf, PROGRAM, readFlags } from '../harness/flags.js';
import { memoryOf } from '../harness/processor.js';
import { load, machine, print, quantile, showCount, showMs, showProgress, table } from '../harness/report.js';
import { missedGoals } from './goals.js';
import { SCENARIOS } from './scenarios.js';

/**
 * @typedef {Awaited<ReturnType<typeof measure>>} Row
 * @typedef {import('node:child_process').ChildProcess} ChildProcess
 */

const flags = readFlags({
  seconds: 10,
  logs: 1_000_000,
  only: '',
  heap: 512,
  workers: '0',
  from: '127.0.0.1',
  'attackers-nice': 0,
  output: '',
  program: PROGRAM,
});

const attackSeconds = flags.seconds;
/** Least duration of the measurements before and after an attack. */
const QUIET_SECONDS_MIN = 1.5;
const options = {
  program: flags.program,
  heapMebibytes: flags.heap,
  logs: flags.logs,
  /** @param {number} count */
  progress: (count) => showProgress(`${showCount(count)} logs`),
};

/** @param {number} seconds */
const sleep = (seconds) => setTimeout(1_000 * seconds);

/**
 * @param {string} file
 * @param {...string} words
 */
function start(file, ...words) {
  return fork(fileURLToPath(new URL(file, import.meta.url)), words);
}

/** @param {ChildProcess} child one of ours */
async function end(child) {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/**
 * Returns the prober's results since the last request, by kind of call.
 *
 * @param {ChildProcess} prober
 * @returns {Promise<Record<string, import('./prober.js').Result>>}
 */
async function phaseOf(prober) {
  const told = once(prober, 'message');
  prober.send('end');
  const [phase] = await told;
  return phase;
}

/**
 * Number of a node's newest block; NaN for a node that does not live.
 *
 * @param {import('../harness/server.js').Server} node
 */
async function headOf(node) {
  return node.endedWith() === undefined ? Number(await call(node.url, 'eth_blockNumber')) : Number.NaN;
}

/**
 * Lets an attack run, and gives the prober's times around it and the most memory that the node took, in MiB.
 *
 * @param {import('./scenarios.js').Attacked} attacked
 * @param {ChildProcess} prober
 * @param {string} name
 * @param {import('./scenarios.js').Scenario} scenario
 */
async function measure({ node, attackedPort }, prober, name, { blockSeconds }) {
  // Longer than the block interval, so that a block is expected.
  const quietSeconds = Math.max(QUIET_SECONDS_MIN, blockSeconds + 1, attackSeconds / 3);
  await phaseOf(prober);
  await sleep(quietSeconds);
  const before = await phaseOf(prober);
  const attacker = start('attacker.js', String(attackedPort), flags.from, name);
  setPriority(attacker.pid ?? 0, flags['attackers-nice']);
  let memory = 0;
  for (let second = 0; second < attackSeconds; second += 0.25) {
    await sleep(0.25);
    memory = Math.max(memory, memoryOf(node.processId).resident);
  }
  const attacked = phaseOf(prober);
  await end(attacker);
  const during = await attacked;
  // Work for the attacker may still be running.
  await sleep(1);
  await phaseOf(prober);
  const head = await headOf(node);
  await sleep(quietSeconds);
  const after = await phaseOf(prober);
  const blocks = (await headOf(node)) - head;
  return { name, before, during, after, memory, blocks, ended: node.endedWith() };
}

/**
 * Makes the attacks of a scenario, each on a node that lives.
 *
 * @param {import('./scenarios.js').Scenario} scenario
 * @param {readonly string[]} names
 * @param {number} workers
 * @param {(row: Row) => void} done
 */
async function attack(scenario, names, workers, done) {
  /** @type {import('./scenarios.js').Attacked | undefined} */
  let attacked;
  /** @type {ChildProcess | undefined} */
  let prober;
  const stop = async () => {
    if (prober !== undefined) await end(prober);
    await attacked?.node.stop();
    [attacked, prober] = [undefined, undefined];
  };
  try {
    for (const name of names) {
      showProgress(`${workers} workers: ${name}\n`);
      attacked ??= await scenario.start({ ...options, workers });
      prober ??= start('prober.js', attacked.node.url, ...scenario.kinds);
      const row = await measure(attacked, prober, name, scenario);
      done(row);
      if (!scenario.isSharedByAttacks || row.ended !== undefined) await stop();
    }
  } finally {
    await stop();
  }
}

/** By how much the client itself was late, which no node can help: p50, p99. @param {Row['during']} during */
function showLateness(during) {
  const late = during.eth_blockNumber?.late ?? [];
  return late.length === 0 ? '' : [quantile(late, 0.5), quantile(late, 0.99)].map(showMs).join(', ');
}

/** @param {import('./prober.js').Result | undefined} result */
function showPhase(result) {
  if (result === undefined) return '';
  const { times, failures } = result;
  const unserved = failures === 0 ? '' : `, ${failures} not served`;
  if (times.length === 0) return `none${unserved}`;
  return [quantile(times, 0.5), quantile(times, 0.99), Math.max(...times)].map(showMs).join(', ') + unserved;
}

/**
 * @param {Row} row
 * @param {number} workers
 */
function cellsOf({ name, before, during, after, memory, blocks, ended }, workers) {
  const missed = missedGoals(during, workers);
  const { eth_blockNumber: blockNumber, eth_call: call, eth_sendTransaction: send } = during;
  const opened = during['new connection'];
  return [
    name,
    String(workers),
    ...[before.eth_blockNumber, blockNumber, call, send, opened, after.eth_blockNumber].map(showPhase),
    showLateness(during),
    `${showCount(memory)} MiB`,
    String(blocks),
    missed.length === 0 ? 'met' : `missed: ${missed.join(', ')}`,
    ended === undefined ? LIVES : `no: ${ended}`,
  ];
}

const LIVES = 'yes';
const HEAD = [
  'attack',
  'workers',
  '`eth_blockNumber` before: p50, p99, max',
  'during',
  '`eth_call` during',
  '`eth_sendTransaction` during',
  'a new connection for each `eth_blockNumber` during',
  '`eth_blockNumber` after',
  'the client late by: p50, p99',
  'memory of the node',
  'blocks after',
  'goals',
  'lives',
];

print(`${machine()}, load at the start ${load()}`);
print(
  `A heap of ${flags.heap} MiB, ${flags.workers} workers, attackers at ${flags.from}, nice ${flags['attackers-nice']}.`,
);
print(`A chain with ${showCount(options.logs)} logs; ${attackSeconds} s of each attack.\n`);

/** @type {string[][]} Rows of the table; those of an earlier run that was stopped are not measured again. */
const rows = [];
if (flags.output !== '' && existsSync(flags.output)) {
  const lines = readFileSync(flags.output, 'utf8').split('\n');
  rows.push(...lines.filter((line) => line !== '').map((line) => JSON.parse(line)));
}
for (const workers of numbersOf(flags.workers)) {
  const known = new Set(rows.filter((row) => row[1] === String(workers)).map(([name]) => name));
  for (const scenario of SCENARIOS) {
    const names = scenario.attacks.filter((name) => name.includes(flags.only) && !known.has(name));
    await attack(scenario, names, workers, (row) => {
      const cells = cellsOf(row, workers);
      rows.push(cells);
      if (flags.output !== '') appendFileSync(flags.output, `${JSON.stringify(cells)}\n`);
    });
  }
}
print(table([HEAD, ...rows]));
if (rows.some((cells) => cells.at(-1) !== LIVES)) process.exitCode = 1;
