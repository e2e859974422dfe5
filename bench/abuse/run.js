/**
 * Measures how long a client waits for `eth_blockNumber` before, during and after each of several attacks on the
 * node. See ../README.md for the flags.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { print, quantile, showCount, showMs, showProgress, table } from '../timing.js';
import { ATTACKS } from './attacks.js';
import { startNode, writeLogs } from './node.js';

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    logs: { type: 'string', default: '1000000' },
    only: { type: 'string', default: '' },
    program: { type: 'string', default: fileURLToPath(new URL('../../bin/ledgerd.js', import.meta.url)) },
  },
});

const attackSeconds = Number(flags.seconds);
const quietSeconds = Math.ceil(attackSeconds / 3);
const names = Object.keys(ATTACKS).filter((name) => name.includes(flags.only));

function sleep(seconds) {
  return new Promise((resolve) => setTimeout(resolve, 1_000 * seconds));
}

function start(file, ...words) {
  return fork(fileURLToPath(new URL(file, import.meta.url)), words.map(String));
}

/** Ends a process of ours. */
async function end(child) {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** What the prober saw since it was last asked. */
async function phaseOf(prober) {
  const told = once(prober, 'message');
  prober.send('end');
  const [phase] = await told;
  return phase;
}

/** Lets an attack run, and gives the prober's times around it and the most memory that the node took. */
async function measure(node, prober, name) {
  await phaseOf(prober);
  await sleep(quietSeconds);
  const before = await phaseOf(prober);
  const attacker = start('attacker.js', node.port, name);
  let memory = 0;
  for (let second = 0; second < attackSeconds; second += 0.25) {
    await sleep(0.25);
    memory = Math.max(memory, node.memory() ?? 0);
  }
  const attacked = phaseOf(prober);
  await end(attacker);
  const during = await attacked;
  // What was begun for the attacker may have to end first.
  await sleep(1);
  await phaseOf(prober);
  await sleep(quietSeconds);
  return { before, during, after: await phaseOf(prober), memory };
}

function showPhase({ times }) {
  if (times.length === 0) return ['none', 'none', 'none'];
  return [quantile(times, 0.5), quantile(times, 0.99), Math.max(...times)].map(showMs);
}

function rowOf(name, { before, during, after, memory }) {
  const failures = [before, during, after].map((phase) => phase.failures).join(', ');
  const phases = [before, during, after].map((phase) => showPhase(phase).join(', '));
  return [name, ...phases, failures, `${showCount(memory / 1e6)} MB`];
}

const HEAD = ['attack', 'before: p50, p99, max', 'during', 'after', 'not served', 'memory of the node'];

const node = await startNode(flags.program);
const prober = start('prober.js', node.port);
try {
  const logs = await writeLogs(node.port, Number(flags.logs), (count) =>
    showProgress(`${showCount(count)} logs`),
  );
  showProgress('\n');
  const [load] = loadavg();
  print(
    `${cpus().length} × ${cpus()[0]?.model}, Node.js ${process.version}, load at the start ${load?.toFixed(1)}`,
  );
  print(`A chain with ${showCount(logs)} logs; ${attackSeconds} s of each attack.\n`);
  const rows = [HEAD];
  for (const name of names) {
    showProgress(`${name}\n`);
    rows.push(rowOf(name, await measure(node, prober, name)));
  }
  print(table(rows));
} finally {
  await end(prober);
  await node.stop();
}
