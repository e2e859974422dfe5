/** The work of test suites on a chain: tests, snapshots, a revert, and many blocks. */

import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { withConnection } from '../harness/connection.js';
import { timed } from '../harness/rounds.js';
import { quantity } from '../harness/words.js';
import { encodeCall, GAS, transact } from '../peers/world.js';

/** Calls of one round of what takes no longer than the way to the node. */
const CALLS = 50;
const MANY_BLOCKS = 10_000;
/** Time-out of making many blocks. */
const MANY_MS_MAX = 40_000;
/** Transactions of a test of the suite: half of them transfers, half of them transfers of a token. */
const SUITE_TRANSACTIONS = 20;
/** Before each revert, and not measured: anvil 1.7.1 loses a later transaction where the revert follows at once. */
const PAUSE_MS = 10;

const blockNumber = async (connection) => Number(await connection.call('eth_blockNumber'));
const snapshot = (connection) => connection.call('evm_snapshot');

/** Takes a chain back to a snapshot at a block, and gives how long that takes. */
async function timeRevert(connection, id, block) {
  await delay(PAUSE_MS);
  const { value, ms } = await timed(() => connection.call('evm_revert', id));
  assert.equal(value, true);
  assert.equal(await blockNumber(connection), block);
  return ms;
}

async function sendTest(connection, { accounts, contracts: { token } }, count) {
  for (let index = 0; index < count; index += 1) {
    const [from, to] = [accounts[index % accounts.length], accounts[(index + 1) % accounts.length]];
    const fields =
      index % 2 === 0
        ? { from, to, value: 1n, gas: GAS.transfer }
        : { from, to: token.address, data: encodeCall(token, 'transfer', to, 1n), gas: GAS.tokenTransfer };
    await transact(connection, fields);
  }
}

/** Times the parts of a test: its snapshot, its transactions one after the other, and the revert. */
async function timeTest(connection, world, transactions) {
  const before = await blockNumber(connection);
  const { value: id, ms: snapshotMs } = await timed(() => snapshot(connection));
  const { ms: sendMs } = await timed(() => sendTest(connection, world, transactions));
  assert.equal(await blockNumber(connection), before + transactions);
  const revertMs = await timeRevert(connection, id, before);
  return { revertMs, totalMs: snapshotMs + sendMs + revertMs };
}

/** The sum of several measurements, one after the other. */
async function sumOf(count, measure) {
  let total = 0;
  for (let index = 0; index < count; index += 1) total += await measure();
  return total;
}

/** Makes many blocks, and takes them back. */
async function mineMany(connection) {
  const [before, id] = [await blockNumber(connection), await snapshot(connection)];
  const late = delay(MANY_MS_MAX, undefined, { ref: false }).then(() => {
    throw new Error(`it takes more than ${MANY_MS_MAX / 1_000} s`);
  });
  const mining = timed(() => connection.call('hardhat_mine', quantity(MANY_BLOCKS)));
  const { ms } = await Promise.race([mining, late]);
  assert.equal(await blockNumber(connection), before + MANY_BLOCKS);
  await timeRevert(connection, id, before);
  return ms;
}

/** Defines work on a separate connection. */
const work = (name, title, unit, measure, rounds = Infinity) => ({
  ...{ name, title, unit, rounds },
  measure: ({ port, world }, options) =>
    withConnection(port, (connection) => measure(connection, world, options)),
});

/** All pieces of work; some take so long that they have fewer rounds. */
export const TESTING_WORK = [
  work('suite', 'tests of 20 transactions between a snapshot and a revert', 'per second', suite),
  {
    name: 'suite in process',
    title: 'the same, where the node can be in the process of the tests',
    unit: 'per second',
    rounds: Infinity,
    server: ({ inProcess }) => inProcess,
    measure: ({ port, world, inProcess }, options) =>
      inProcess?.runTests(options.tests) ??
      withConnection(port, (connection) => suite(connection, world, options)),
  },
  work('snapshot', 'a snapshot', 'ms', async (connection) => {
    const [first, head] = [await snapshot(connection), await blockNumber(connection)];
    const { ms } = await timed(() => sumOf(CALLS, () => snapshot(connection).then(() => 0)));
    await timeRevert(connection, first, head);
    return ms / CALLS;
  }),
  work('revert', 'a revert over 1 block of a transaction', 'ms', async (connection, world) => {
    const revert = async () => (await timeTest(connection, world, 1)).revertMs;
    return (await sumOf(CALLS, revert)) / CALLS;
  }),
  work('mine', '10,000 empty blocks by hardhat_mine', 'ms', mineMany, 1),
];

/** Measures the tests a second of a node. */
export async function suite(connection, world, { tests }) {
  const test = () => timeTest(connection, world, SUITE_TRANSACTIONS);
  return (1_000 * tests) / (await sumOf(tests, async () => (await test()).totalMs));
}
