/** Measures `callTracer` of ordinary transactions on ledgerd, anvil and Hardhat, alternating. */

import { anvilCommand } from '../harness/anvil.js';
import { Connection } from '../harness/connection.js';
import { startLedgerd } from '../harness/ledgerd.js';
import { median, quantile, showMs, table } from '../harness/report.js';
import { inTurn } from '../harness/rounds.js';
import { startServer } from '../harness/server.js';
import { startHardhat } from './hardhat.js';
import { transactionsOf } from './transactions.js';

/** Traces of a round, one after the other. */
const TRACES = 50;

const CALLS = { tracer: 'callTracer' };
/** The least struct logs, since Hardhat 2 has no other tracer. */
const STEPS = { disableStack: true, disableMemory: true, disableStorage: true };

/** @typedef {{ name: string, port: number, path: string, config: object, stop: () => Promise<void> }} Peer */

/** @returns {Promise<Peer[]>} */
async function startPeers() {
  const ledgerd = await startLedgerd(['--ethereum', '--quiet']);
  const anvil = await startServer((port) => [...anvilCommand(port), '--hardfork', 'cancun']);
  const hardhat = await startHardhat();
  return [
    { name: 'ledgerd', path: '/ethereum', config: CALLS, ...ledgerd },
    { name: 'anvil', path: '/', config: CALLS, ...anvil },
    { name: 'Hardhat (its struct logs)', path: '/', config: STEPS, ...hardhat },
  ];
}

/**
 * Milliseconds of each trace of a round, on one connection.
 *
 * @param {Peer} peer
 * @param {string} hash
 */
async function traceAll({ port, path, config }, hash) {
  const times = [];
  const connection = await Connection.open(port, path);
  for (let count = 0; count < TRACES; count += 1) {
    const started = performance.now();
    const root = await connection.call('debug_traceTransaction', hash, config);
    times.push(performance.now() - started);
    if (root.type !== 'CALL' && root.failed !== false)
      throw new Error(`no trace of a call: ${JSON.stringify(root).slice(0, 200)}`);
  }
  connection.close();
  return times;
}

/**
 * The table of ordinary traces.
 *
 * @param {number} rounds
 */
export async function ordinaryTraces(rounds) {
  const peers = await startPeers();
  try {
    const asked = await Promise.all(
      peers.map(async (peer) => {
        const connection = await Connection.open(peer.port, peer.path);
        const transactions = await transactionsOf(connection);
        connection.close();
        return { ...peer, transactions };
      }),
    );
    const rows = [['callTracer of', ...peers.map(({ name }) => name), 'times anvil', 'goal: at most']];
    for (const name of asked[0]?.transactions.keys() ?? []) {
      /** @type {Map<string, number[]>} */
      const times = new Map(peers.map((peer) => [peer.name, []]));
      for (let round = -1; round < rounds; round += 1) {
        for (const peer of inTurn(asked, round)) {
          const taken = await traceAll(peer, peer.transactions.get(name) ?? '');
          if (round >= 0) times.get(peer.name)?.push(...taken);
        }
      }
      const [own = [], anvils = []] = peers.map((peer) => times.get(peer.name));
      const ratio = median(own) / median(anvils);
      rows.push([
        name,
        ...[...times.values()].map(
          (taken) => `${showMs(median(taken))}, p99 ${showMs(quantile(taken, 0.99))}`,
        ),
        ratio.toFixed(1),
        `5: ${ratio <= 5 ? 'met' : '**missed**'}`,
      ]);
    }
    return table(rows);
  } finally {
    await Promise.all(peers.map(({ stop }) => stop()));
  }
}
