/** Measures further chains of one node: creation, memory, and calls beside a load of transactions. See ../README.md. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Connection } from '../harness/connection.js';
import { startLedgerd } from '../harness/ledgerd.js';
import { memoryOf, processorSeconds } from '../harness/processor.js';
import { load as loadOfMachine, machine, print, quantile, showMs, table } from '../harness/report.js';
import { timed } from '../harness/rounds.js';
import { planTransfers, SENDERS } from '../writes/ethereum.js';
import { Load } from '../writes/load.js';

const { values: flags } = parseArgs({
  options: {
    chains: { type: 'string', default: '32' },
    transfers: { type: 'string', default: '12800' },
  },
});
const chains = Number(flags.chains);

/** Adds two numbers and stops: a call that takes no node any time. */
const SHORT_CALL = { data: '0x600160010100' };
/** Milliseconds of calls without a load. */
const QUIET_MS = 3_000;
const PROBER = fileURLToPath(new URL('../abuse/prober.js', import.meta.url));
const PROBES = ['frequent eth_blockNumber', 'frequent eth_call'];

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
 * Creates chains one after the other. Returns the cells of a row.
 *
 * @param {readonly string[]} words
 */
async function measureCreation(words) {
  const node = await startLedgerd(['--quiet', '--chains', String(chains), ...words]);
  const connections = await Promise.all(
    Array.from({ length: chains }, (_, index) => Connection.open(node.port, `/chain/${index + 1}`)),
  );
  try {
    const memory = () => memoryOf(node.processId).own;
    const before = { memory: memory(), seconds: processorSeconds(node.processId) };
    /** @type {number[]} */
    const created = [];
    for (const connection of connections) created.push(await msOf(connection, 'eth_blockNumber'));
    const seconds = processorSeconds(node.processId) - before.seconds;
    const own = (memory() - before.memory) / chains;
    for (const connection of connections) await connection.call('eth_call', SHORT_CALL, 'latest');
    const used = (memory() - before.memory) / chains;
    return [
      words.join(' ') || '(native)',
      ...[0.5, 0.95, 1].map((share) => showMs(quantile(created, share))),
      showMs((seconds * 1_000) / chains),
      ...[own, used].map((mebibytes) => `${mebibytes.toFixed(1)} MiB`),
    ];
  } finally {
    for (const connection of connections) connection.close();
    await node.stop();
  }
}

/**
 * Runs an action while another process calls a chain. Returns its result, and the cells of the called methods.
 *
 * @template T
 * @param {string} url of the chain
 * @param {() => Promise<T>} action
 * @returns {Promise<{ result: T, cells: string[] }>}
 */
async function beside(url, action) {
  const prober = fork(PROBER, [url, ...PROBES]);
  const endPhase = async () => {
    const ended = once(prober, 'message');
    prober.send('end');
    return (await ended)[0];
  };
  try {
    await endPhase();
    const result = await action();
    const phase = await endPhase();
    const cells = PROBES.flatMap((kind) =>
      [0.5, 0.99].map((share) => showMs(quantile(phase[kind].times, share))),
    );
    return { result, cells: [...cells, showMs(quantile(phase[PROBES[0]].late, 0.99))] };
  } finally {
    prober.kill();
  }
}

/** Measures calls without a load, beside one on another chain, and beside one on the same chain. Returns the rows. */
async function measureFairness() {
  const node = await startLedgerd(['--quiet', '--ethereum', '--accounts', String(SENDERS)]);
  const plan = planTransfers(SENDERS, Number(flags.transfers));
  /** @param {number} number of a chain */
  const pathOf = (number) => `/chain/${number}/ethereum`;
  try {
    const quiet = await beside(`${node.url}${pathOf(1)}`, () => delay(QUIET_MS));
    const rows = [['no load', '-', ...quiet.cells]];
    for (const { title, called, loaded } of [
      { title: 'load on another chain', called: 1, loaded: 2 },
      { title: 'load on the same chain', called: 3, loaded: 3 },
    ]) {
      const target = { port: node.port, path: pathOf(loaded), processId: node.processId };
      const load = await Load.open(target, plan.lists);
      await load.send(plan.warmUp);
      const { result, cells } = await beside(`${node.url}${pathOf(called)}`, () => load.send(plan.each));
      rows.push([title, String(Math.round((1_000 * result.transactions) / result.ms)), ...cells]);
      load.close();
    }
    return rows;
  } finally {
    await node.stop();
  }
}

print(machine());
print(loadOfMachine());
print();
const created = ['created: median', '95 %', 'slowest', 'processor', 'memory of one', 'after a call'];
const creations = [];
for (const words of [['--ethereum'], []]) creations.push(await measureCreation(words));
print(table([['node', ...created], ...creations]));
print();
const called = ['eth_blockNumber: median', '99 %', 'eth_call: median', '99 %', 'delay of the caller: 99 %'];
print(table([['64 connections', 'transactions a second', ...called], ...(await measureFairness())]));
