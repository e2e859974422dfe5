/** Measures CPU-bound calls to one node, and to three behind a balancer, on one machine. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/free-ports.js';
import { Connection } from '../harness/connection.js';
import { runCommand, startLedgerd } from '../harness/ledgerd.js';
import { processorSeconds } from '../harness/processor.js';
import { median, quantile, showCount, showMs, table } from '../harness/report.js';
import { firstResponse } from '../harness/server.js';
import { startLogServers } from './nats.js';

const BALANCER = fileURLToPath(new URL('../../deploy/cluster/haproxy.cfg', import.meta.url));
const NODES = 3;
const CONNECTIONS = 12;
/** Init code that counts down from 100,000: some milliseconds of nothing but execution. */
const COUNTING = '0x620186a05b6001900380600457005b';
const CALL = [{ data: COUNTING, gas: '0x1000000' }, 'latest'];
const WARM_UP_SECONDS = 1;

/**
 * @typedef {{ name: string, rate: number, ms: number, slowMs: number, processors: number }} ReadResult
 */

/**
 * @param {{ rounds: number, seconds: number, program: string, nats: string, haproxy: string, scratch: string }} options
 * @returns {Promise<readonly ReadResult[]>} one for each set-up and round
 */
export async function measureReads({ rounds, seconds, program, nats, haproxy, scratch }) {
  /** @type {[string, (folder: string) => Promise<{ port: number, processes: number[], stop(): Promise<void> }>][]} */
  const setUps = [
    ['one node', (folder) => startAlone(folder, program, 0)],
    ['one node, --workers 1', (folder) => startAlone(folder, program, 1)],
    ['three nodes behind the balancer', (folder) => startCluster(folder, program, nats, haproxy)],
  ];
  /** @type {ReadResult[]} */
  const results = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, start] of setUps) {
      const folder = join(scratch, `reads-${round}-${results.length}`);
      mkdirSync(folder);
      const { port, processes, stop } = await start(folder);
      try {
        await load(port, WARM_UP_SECONDS);
        const before = processes.reduce((sum, id) => sum + processorSeconds(id), 0);
        const times = await load(port, seconds);
        const used = processes.reduce((sum, id) => sum + processorSeconds(id), 0) - before;
        results.push({
          ...{ name, rate: times.length / seconds, ms: median(times), slowMs: quantile(times, 0.99) },
          processors: used / seconds,
        });
      } finally {
        await stop();
      }
    }
  }
  return results;
}

async function startAlone(folder, program, workers) {
  const dataDir = join(folder, 'node');
  await runCommand(['init', '--data-dir', dataDir, '--block-interval', '1'], program);
  const words = ['--data-dir', dataDir, '--workers', String(workers)];
  const node = await startLedgerd(words, { program });
  return { port: node.port, processes: [node.processId], stop: () => node.stop() };
}

async function startCluster(folder, program, nats, haproxy) {
  const made = join(folder, 'cluster');
  await runCommand(
    ['init', '--data-dir', made, '--producers', String(NODES), '--block-interval', '1'],
    program,
  );
  const servers = await startLogServers(join(folder, 'servers'), NODES, nats);
  const nodes = await Promise.all(
    Array.from({ length: NODES }, async (_, index) => {
      const dataDir = join(folder, `node-${index + 1}`);
      cpSync(join(made, `node-${index + 1}`), dataDir, { recursive: true });
      return startLedgerd(['--data-dir', dataDir, ...servers.words], { program });
    }),
  );
  const port = await freePort();
  const places = Object.fromEntries(
    nodes.map((node, index) => [`NODE_${index + 1}`, `127.0.0.1:${node.port}`]),
  );
  const balancer = spawn(haproxy, ['-f', BALANCER, '-db'], {
    env: { ...process.env, ...places, LISTEN: `127.0.0.1:${port}` },
    stdio: 'ignore',
  });
  const stop = async () => {
    const ended = once(balancer, 'exit');
    if (balancer.exitCode === null && balancer.kill('SIGTERM')) await ended;
    await Promise.all(nodes.map((node) => node.stop()));
    await servers.stop();
  };
  try {
    await firstResponse(port);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, processes: nodes.map(({ processId }) => processId), stop };
}

/**
 * Calls over several connections for a while.
 *
 * @param {number} port
 * @param {number} seconds
 * @returns {Promise<number[]>} milliseconds of each call
 */
async function load(port, seconds) {
  const end = performance.now() + seconds * 1_000;
  /** @type {number[]} */
  const times = [];
  const client = async () => {
    const connection = await Connection.open(port);
    try {
      while (performance.now() < end) {
        const began = performance.now();
        await connection.call('eth_call', ...CALL);
        times.push(performance.now() - began);
      }
    } finally {
      connection.close();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  return times;
}

/** @param {readonly ReadResult[]} results */
export function readsTable(results) {
  const names = [...new Set(results.map(({ name }) => name))];
  const rows = names.map((name) => {
    const own = results.filter((result) => result.name === name);
    const rates = own.map(({ rate }) => rate);
    return [
      name,
      showCount(median(rates)),
      `${showCount(Math.min(...rates))} … ${showCount(Math.max(...rates))}`,
      showMs(median(own.map(({ ms }) => ms))),
      showMs(median(own.map(({ slowMs }) => slowMs))),
      median(own.map(({ processors }) => processors)).toFixed(2),
      showCount(median(own.map(({ rate, processors }) => rate / processors))),
    ];
  });
  return table([
    [
      '',
      'calls a second',
      'slowest … fastest',
      'median',
      '99 %',
      'processors of the nodes',
      'calls a processor second',
    ],
    ...rows,
  ]);
}
