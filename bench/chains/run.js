/** Measures further chains of one node: creation, memory, and calls beside a busy chain. See ../README.md. */

import { parseArgs } from 'node:util';
import { Connection } from '../harness/connection.js';
import { startLedgerd } from '../harness/ledgerd.js';
import { memoryOf, processorSeconds } from '../harness/processor.js';
import { load, machine, print, quantile, showMs, table } from '../harness/report.js';
import { timed } from '../harness/rounds.js';

const { values: flags } = parseArgs({
  options: {
    chains: { type: 'string', default: '32' },
    calls: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '5' },
  },
});
const chains = Number(flags.chains);

/** Counts down from its argument. */
const LOOPING = '0x6000355b6001900380600357';
const CONTRACT = `0x${'11'.repeat(20)}`;
/** Rounds of a long call, 26 gas each. */
const ROUNDS = 500_000;

/**
 * Milliseconds of a call.
 *
 * @param {Connection} connection
 * @param {string} method
 * @param {...unknown} params
 */
async function msOf(connection, method, ...params) {
  return (await timed(() => connection.call(method, ...params))).ms;
}

/**
 * Measures a node, and returns the cells of its row.
 *
 * @param {readonly string[]} words
 */
async function measure(words) {
  const node = await startLedgerd(['--quiet', '--chains', String(chains), ...words]);
  const connections = await Promise.all(
    Array.from({ length: chains }, (_, index) => Connection.open(node.port, `/chain/${index + 1}`)),
  );
  try {
    const before = { memory: memoryOf(node.processId).own, seconds: processorSeconds(node.processId) };
    /** @type {number[]} */
    const created = [];
    for (const connection of connections) {
      created.push(await msOf(connection, 'eth_blockNumber'));
    }
    const seconds = processorSeconds(node.processId) - before.seconds;
    const memory = memoryOf(node.processId).own - before.memory;
    const [busy, ...quiet] = connections;
    if (busy === undefined) throw new Error('--chains: expected at least 2');
    const alone = await latencies(quiet);
    await busy.call('anvil_setCode', CONTRACT, LOOPING);
    const stop = loadOn(node.port);
    const beside = await latencies(quiet);
    const long = await stop();
    return [
      words.join(' ') || '(native)',
      ...[0.5, 0.95, 1].map((share) => showMs(quantile(created, share))),
      showMs((seconds * 1_000) / chains),
      `${(memory / chains).toFixed(1)} MiB`,
      ...[alone, beside].flatMap((all) => [0.5, 0.99].map((share) => showMs(quantile(all, share)))),
      `${long.length} of ${showMs(quantile(long, 0.5))}`,
    ];
  } finally {
    for (const connection of connections) connection.close();
    await node.stop();
  }
}

/**
 * Calls each of the quiet chains in turn, and returns the milliseconds.
 *
 * @param {readonly Connection[]} quiet
 */
async function latencies(quiet) {
  /** @type {number[]} */
  const all = [];
  const end = performance.now() + Number(flags.seconds) * 1_000;
  for (let count = 0; performance.now() < end; count += 1) {
    const connection = quiet[count % quiet.length];
    if (connection !== undefined) all.push(await msOf(connection, 'eth_blockNumber'));
  }
  return all;
}

/**
 * Keeps long calls in flight on the first chain, until the returned function ends them.
 *
 * @param {number} port
 */
function loadOn(port) {
  const data = `0x${ROUNDS.toString(16).padStart(64, '0')}`;
  /** @type {number[]} */
  const times = [];
  let isOver = false;
  const loops = Array.from({ length: Number(flags.calls) }, async () => {
    const connection = await Connection.open(port, '/chain/1');
    while (!isOver) times.push(await msOf(connection, 'eth_call', { to: CONTRACT, data }, 'latest'));
    connection.close();
  });
  return async () => {
    isOver = true;
    await Promise.all(loops);
    return times;
  };
}

print(machine());
print(load());
print();
const head = ['node', 'created: median', '95 %', 'slowest', 'processor', 'memory of one'];
const further = ['call alone: median', '99 %', 'beside load: median', '99 %', 'long calls'];
const rows = [];
for (const words of [['--ethereum'], []]) rows.push(await measure(words));
print(table([[...head, ...further], ...rows]));
