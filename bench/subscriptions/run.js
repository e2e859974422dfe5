/**
 * Measures how long blocks and logs take to thousands of subscribers, a part of whom never reads, on ledgerd and on
 * anvil one after the other. See ../README.md for the flags. Ends with status 1 when ledgerd misses a goal.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { call } from '../../test/rpc-client.js';
import { outputOf, PROGRAM, readFlags } from '../harness/flags.js';
import { busyBetween, memoryOf, processorSeconds, processorTimes } from '../harness/processor.js';
import {
  load,
  machine,
  print,
  quantile,
  showCount,
  showMs,
  showProgress,
  table,
  writeReport,
} from '../harness/report.js';
import { makeBlocks } from './blocks.js';
import { now } from './clock.js';
import { missedGoals } from './goals.js';
import { deployEmitter, KINDS } from './nodes.js';
import { Sleepers } from './sleepers.js';

/** @typedef {Awaited<ReturnType<typeof measure>>} Outcome */

const flags = readFlags({
  subscribers: 5_000,
  asleep: 0.1,
  blocks: 10,
  logs: 1,
  seconds: 600,
  peers: 'ledgerd,anvil',
  program: PROGRAM,
  output: outputOf('subscriptions'),
});

const asleep = Math.round(flags.asleep * flags.subscribers);
const reading = flags.subscribers - asleep;
/** As of clients on other machines: those that read have nothing to do with those that do not. */
const READERS_ADDRESS = '127.0.0.2';
const SLEEPERS_ADDRESS = '127.0.0.3';
/** Interval of the readers' clock messages. */
const TICK_MS = 10;
const MEMORY_MS = 500;
/** Time-out of the last notifications. */
const SETTLE_SECONDS_MAX = 30;

/** @param {number} ms */
function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Returns the readers' results so far.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<import('./readers.js').Result>}
 */
async function resultOf(child) {
  const told = once(child, 'message');
  child.send({ end: true });
  const [result] = await told;
  return result;
}

/**
 * Measures a node.
 *
 * @param {import('./nodes.js').Kind} kind
 * @param {import('../harness/server.js').Server} node
 */
async function measure(kind, node) {
  const url = `${node.url}${kind.path}`;
  const accounts = await deployEmitter(url);
  const words = [String(node.port), kind.path, String(reading), READERS_ADDRESS, accounts.emitter];
  const child = fork(fileURLToPath(new URL('readers.js', import.meta.url)), words);
  const place = { port: node.port, path: kind.path, from: SLEEPERS_ADDRESS };
  const sleepers = new Sleepers(place, [['newHeads'], ['logs', { address: accounts.emitter }]]);
  let memory = 0;
  const timers = [
    setInterval(() => child.connected && child.send({ tick: now() }), TICK_MS),
    setInterval(() => {
      memory = Math.max(memory, memoryOf(node.processId).resident);
    }, MEMORY_MS),
  ];
  try {
    const [opened] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [''])]);
    if (opened !== 'opened') throw new Error('the readers could not subscribe');
    await sleepers.open(asleep);
    const head = Number(await call(url, 'eth_blockNumber'));
    child.send({ firstBlock: head + 1, logsPerBlock: flags.logs });
    const before = { node: processorTimes(node), readers: processorSeconds(child.pid ?? 0) };
    let block = head;
    const pace = { perSecond: flags.blocks, seconds: flags.seconds, logs: flags.logs };
    const { made, seconds } = await makeBlocks({ ...place, ...accounts }, pace, (at) => {
      block += 1;
      child.send({ block, at });
      if ((block - head) % 10 === 0) showProgress(`${kind.name}: block ${block - head}`);
    });
    const busy = busyBetween(before.node, processorTimes(node)).server;
    const busyReaders = (processorSeconds(child.pid ?? 0) - before.readers) / seconds;
    const notifications = { heads: reading * made, logs: reading * made * flags.logs };
    const readers = await settled(child, notifications);
    const closes = await kind.closes(node.url);
    const planned = Math.round(flags.blocks * flags.seconds);
    return {
      made,
      planned,
      seconds,
      readers,
      sleepers: sleepers.result(),
      closes,
      memory,
      busy,
      busyReaders,
      notifications,
    };
  } finally {
    for (const timer of timers) clearInterval(timer);
    sleepers.end();
    if (child.exitCode === null) {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
  }
}

/**
 * Waits until the readers have got everything, or will not.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {{ heads: number, logs: number }} notifications
 */
async function settled(child, notifications) {
  const end = now() + 1_000 * SETTLE_SECONDS_MAX;
  for (;;) {
    const result = await resultOf(child);
    const isAll = result.heads.count >= notifications.heads && result.logs.count >= notifications.logs;
    if (isAll || now() > end) return result;
    await sleep(200);
  }
}

/** @param {import('./delays.js').Summary} delays */
function showDelays({ p50, p99, max }) {
  return [p50, p99, max].map(showMs).join(', ');
}

/** @param {Outcome} outcome */
function showSleepers({ sleepers: { closedAfter, oldest }, closes }) {
  const closed =
    closedAfter.length === 0
      ? 'none'
      : `${showCount(closedAfter.length)}, after ${quantile(closedAfter, 0.5).toFixed(1)} s (p50), ` +
        `${Math.max(...closedAfter).toFixed(1)} s (max)`;
  return `${closed}; oldest open ${oldest.toFixed(1)} s${closes === '' ? '' : `; by the node's account ${closes}`}`;
}

const HEAD = [
  'node',
  'blocks',
  'heads: p50, p99, max',
  'logs: p50, p99, max',
  'lost or out of order',
  'never read: closed',
  'memory',
  'processors: node, readers',
  'lateness of the readers: p50, p99, max',
  'goals',
];

/**
 * @param {string} name
 * @param {Outcome} outcome
 */
function cellsOf(name, outcome) {
  const { made, planned, seconds, readers, memory, busy, busyReaders, notifications } = outcome;
  const expected = notifications.heads + notifications.logs;
  const lost = expected - readers.heads.count - readers.logs.count;
  const missed = missedGoals(outcome);
  return [
    name,
    `${made} of ${planned} in ${seconds.toFixed(0)} s`,
    showDelays(readers.heads),
    showDelays(readers.logs),
    `${showCount(lost)} of ${showCount(expected)}, ${readers.outOfOrder}`,
    showSleepers(outcome),
    `${showCount(memory)} MiB`,
    `${busy.toFixed(2)}, ${busyReaders.toFixed(2)}`,
    showDelays(readers.lateness),
    missed.length === 0 ? 'met' : `missed: ${missed.join(', ')}`,
  ];
}

const intro = [
  `${machine()}, load at the start ${load()}`,
  `${showCount(reading)} subscribers to newHeads and logs that read and ${showCount(asleep)} that never do, ` +
    `${flags.blocks} blocks a second with 2 transactions and ${flags.logs} logs each, ${flags.seconds} s.`,
];
const rows = [];
/** @type {Record<string, Outcome>} */
const outcomes = {};
for (const kind of KINDS.filter(({ name }) => flags.peers.split(',').includes(name))) {
  // One client may have half of the remaining subscriptions.
  const node = await kind.start(4 * flags.subscribers, flags.program);
  try {
    const outcome = await measure(kind, node);
    outcomes[kind.name] = outcome;
    rows.push(cellsOf(kind.name, outcome));
    if (kind.name === 'ledgerd' && missedGoals(outcome).length > 0) process.exitCode = 1;
  } catch (error) {
    print(`${kind.name}: ${error}; ${node.endedWith() ?? 'it lives'}`);
    process.exitCode = 1;
  } finally {
    await node.stop();
  }
}
writeReport(flags.output, [...intro, '', table([HEAD, ...rows])].join('\n'), { flags, outcomes });
