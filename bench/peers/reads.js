/** Reads and calls: what is asked, what the result has to be, and how it is measured. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeAbiParameters, keccak256 } from 'viem';
import { withConnection } from '../harness/connection.js';
import { sendLines } from '../harness/wrk.js';
import { decodeReturned, encodeCall, FULL_BLOCK, SHARE } from './world.js';

const BATCH = 100;
/** Rounds of the heavy call, which take about so much gas. */
const HEAVY_ROUNDS = 56_500;
const HEAVY_GAS = 10_000_000;
const CONNECTIONS = [1, 32];
/** Slow responses are waited for: so many for each connection, but no longer than that. */
const LEAST_RESPONSES = 3;
const MOST_SECONDS = 30;

let heavySum;
let isHeavyGasKnown = false;

/** Returns the expected result of the expensive call, from the same sums. */
function expectHeavy() {
  if (heavySum !== undefined) return heavySum;
  const parameters = [{ type: 'uint256' }, { type: 'uint256' }];
  let value = 0n;
  for (let index = 0; index < HEAVY_ROUNDS; index += 1) {
    value = BigInt.asUintN(256, value * 6364136223846793005n + 1442695040888963407n);
    value ^= value >> 7n;
    if (index % 16 === 0) value = BigInt(keccak256(encodeAbiParameters(parameters, [value, BigInt(index)])));
  }
  heavySum = value;
  return value;
}

/**
 * A read: method (the title by default), parameters for a world, and a check of the result.
 *
 * @typedef {object} Read
 * @property {string} title
 * @property {string} [method]
 * @property {(world: any, index: number) => unknown[]} parameters
 * @property {number} [batch] requests that are sent together
 * @property {(result: any, world: any, connection: import('../harness/connection.js').Connection) => unknown}
 *   check
 */

/** @type {Readonly<Record<string, Read>>} */
const READS = {
  blockNumber: {
    title: 'eth_blockNumber',
    parameters: () => [],
    check: (result) => assert.ok(Number(result) > 0),
  },
  chainId: {
    title: 'eth_chainId',
    parameters: () => [],
    check: (result) => assert.ok(Number(result) > 0),
  },
  balance: {
    title: 'eth_getBalance',
    parameters: ({ accounts }) => [accounts[7], 'latest'],
    check: (result) => assert.ok(BigInt(result) > 10n ** 16n),
  },
  block: {
    title: `eth_getBlockByNumber, ${FULL_BLOCK} full transactions`,
    method: 'eth_getBlockByNumber',
    parameters: ({ fullBlock }) => [fullBlock, true],
    check: ({ transactions }, { accounts, fullBlock }) => {
      assert.equal(transactions.length, FULL_BLOCK);
      for (const { from, value, blockNumber } of transactions) {
        assert.ok(accounts.includes(from));
        assert.deepEqual([value, blockNumber], ['0x1', fullBlock]);
      }
    },
  },
  receipt: {
    title: 'eth_getTransactionReceipt',
    parameters: ({ transferHash }) => [transferHash],
    check: ({ transactionHash, status, logs }, { transferHash, contracts: { token } }) => {
      assert.deepEqual([transactionHash, status, logs.length], [transferHash, '0x1', 1]);
      assert.equal(logs[0].address.toLowerCase(), token.address.toLowerCase());
      assert.equal(BigInt(logs[0].data), SHARE);
    },
  },
  tokenBalance: {
    title: 'eth_call of balanceOf',
    method: 'eth_call',
    parameters: (world) => balanceParameters(world, 5),
    check: (result) => assert.equal(BigInt(result), SHARE),
  },
  batch: {
    title: `batch of ${BATCH} balanceOf`,
    method: 'eth_call',
    parameters: (world, index) => balanceParameters(world, 1 + (index % 60)),
    batch: BATCH,
    check: (result) => assert.equal(BigInt(result), SHARE),
  },
  heavy: {
    title: 'eth_call of 10 million gas',
    method: 'eth_call',
    parameters: ({ contracts: { heavy } }) => [callTo(heavy, 'run', BigInt(HEAVY_ROUNDS)), 'latest'],
    check: async (result, { contracts: { heavy } }, connection) => {
      assert.equal(decodeReturned(heavy, 'run', result), expectHeavy());
      // Gas is the same everywhere, and some take minutes to find it out.
      if (isHeavyGasKnown) return;
      isHeavyGasKnown = true;
      const fields = callTo(heavy, 'run', BigInt(HEAVY_ROUNDS));
      const gas = Number(await connection.call('eth_estimateGas', fields));
      assert.ok(gas > 0.9 * HEAVY_GAS && gas < 1.1 * HEAVY_GAS, `the heavy call takes ${gas} gas`);
    },
  },
  estimate: {
    title: 'eth_estimateGas of a swap',
    method: 'eth_estimateGas',
    parameters: ({ swap: { from, to, data } }) => [{ from, to, data }],
    check: (result, { swap }) => {
      const gas = Number(result);
      assert.ok(gas > 0.9 * swap.gasUsed && gas < 1.5 * swap.gasUsed, `${gas} for ${swap.gasUsed}`);
    },
  },
};

function callTo(contract, name, ...args) {
  return { to: contract.address, data: encodeCall(contract, name, ...args) };
}

function balanceParameters({ accounts, contracts: { token } }, index) {
  return [callTo(token, 'balanceOf', accounts[index]), 'latest'];
}

/** The text of a request. */
/** @param {Read} read */
function requestOf({ title, method = title, parameters, batch }, world) {
  const request = (/** @type {number} */ index) => ({
    jsonrpc: '2.0',
    id: index,
    method,
    params: parameters(world, index),
  });
  return JSON.stringify(
    batch === undefined ? request(1) : Array.from({ length: batch }, (_, i) => request(i)),
  );
}

/**
 * Asks twice: the results have to be right, and the second response tells how long one takes.
 *
 * @returns {Promise<number>} seconds
 */
async function checkRead(read, { port, world }) {
  return await withConnection(port, async (connection) => {
    const body = requestOf(read, world);
    const responses = [JSON.parse(await connection.send(body))].flat();
    assert.equal(responses.length, read.batch ?? 1);
    for (const { result, error } of responses) {
      assert.equal(error, undefined, JSON.stringify(error));
      await read.check(result, world, connection);
    }
    const started = performance.now();
    await connection.send(body);
    return (performance.now() - started) / 1_000;
  });
}

/** Every read, at every number of connections, as work that is measured. */
export const READ_WORK = Object.entries(READS).flatMap(([name, read]) =>
  CONNECTIONS.map((connections) => ({
    name: `${name} ${connections}`,
    title: `${read.title}, ${connections} connection${connections === 1 ? '' : 's'}`,
    unit: 'per second',
    tool: 'wrk',
    check: async (peer) => {
      peer.responseSeconds ??= {};
      peer.responseSeconds[name] ??= await checkRead(read, peer);
    },
    measure: async (peer, { seconds, folder }) => {
      const least = Math.min(MOST_SECONDS, LEAST_RESPONSES * peer.responseSeconds[name] * connections);
      const duration = Math.max(seconds, least);
      const file = join(folder, 'request.json');
      writeFileSync(file, requestOf(read, peer.world));
      return (await sendLines({ port: peer.port, file, connections, seconds: duration })).rate;
    },
  })),
);
