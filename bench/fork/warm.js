/** Warm requests on a forked chain, paired with the same ones on a chain without a fork that has the same contracts. */

import { requestOf } from '../../test/rpc-client.js';
import { Connection } from '../harness/connection.js';
import { median, print, showMs, table } from '../harness/report.js';
import { inTurn } from '../harness/rounds.js';

/** Rounds before those that count: the code of both processes is compiled then. */
const FIRST_ROUNDS = 10;

/**
 * Sends requests to two nodes in alternating rounds, and prints their times and ratios.
 *
 * @param {{ port: number }} forked
 * @param {{ port: number }} plain
 * @param {{ message: object, rounds: number, calls: number }} load
 */
export async function compareWarm(forked, plain, { message, rounds, calls }) {
  const connections = /** @type {const} */ ([
    await Connection.open(forked.port, '/ethereum'),
    await Connection.open(plain.port, '/ethereum'),
  ]);
  const rows = [['warm', 'forked chain', 'chain without a fork', `ratio, median of ${rounds} pairs`]];
  const [from] = await connections[0].call('eth_accounts');
  for (const [name, body] of bodiesOf(message, from)) {
    /** @type {number[][]} the median time of each round, by chain */
    const times = [[], []];
    for (let round = -FIRST_ROUNDS; round < rounds; round += 1) {
      for (const [index, connection] of inTurn([...connections.entries()], round)) {
        const time = await roundMs(connection, body, calls);
        if (round >= 0) times[index]?.push(time);
      }
    }
    const [onFork = [], onPlain = []] = times;
    const ratios = onFork.map((time, round) => time / (onPlain[round] ?? Number.NaN));
    rows.push([name, showMs(median(onFork)), showMs(median(onPlain)), median(ratios).toFixed(3)]);
  }
  for (const connection of connections) connection.close();
  print(table(rows));
}

/** @param {object} message @param {string} from @returns {[name: string, body: string][]} */
function bodiesOf(message, from) {
  const balance = { [`0x${'77'.repeat(20)}`]: { balance: '0x1' } };
  return [
    ['call of 120 slots', requestOf('eth_call', message, 'latest')],
    ['the same with an override', requestOf('eth_call', message, 'latest', balance)],
    ['the same as an estimate', requestOf('eth_estimateGas', message)],
    ['the same as a transaction', requestOf('eth_sendTransaction', { ...message, from, gas: '0xf00000' })],
  ];
}

/**
 * @param {Connection} connection
 * @param {string} body
 * @param {number} calls
 * @returns {Promise<number>} the median of their times
 */
async function roundMs(connection, body, calls) {
  const times = [];
  for (let count = 0; count < calls; count += 1) {
    const began = performance.now();
    await connection.send(body);
    times.push(performance.now() - began);
  }
  return median(times);
}
