/** Reads of random keys over HTTP, from nodes on chains of several sizes, in turns. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountAddress, contractAddress } from '../../dist/protocol/index.js';
import { randomNumbers } from '../logs/plan.js';
import { withConnection } from '../peers/connection.js';
import { memoryOf, processorTimes, startPeer } from '../peers/processes.js';
import { showProgress } from '../timing.js';
import { BALANCE, SHARE } from './chain.js';
import { sendLines } from './load.js';
import { accountAt, balanceOf, TOKEN } from './transactions.js';

/** Requests of a kind that are made beforehand: more than the node keeps answers of. */
const REQUESTS = 131_072;
/** Answers of a kind that are looked at before it is measured. */
const CHECKED = 20;
const CONNECTIONS = 32;
/** Microseconds in a second. */
const MICROSECONDS = 1e6;

const TOKEN_ADDRESS = hexOf(contractAddress(TOKEN));

/** What is asked: parameters that differ with a random number below the number of keys, and what the answer is. */
export const READS = [
  {
    method: 'eth_getBalance',
    keys: ({ count }) => count,
    parameters: ({ firstAccount }, key) => [addressAt(firstAccount + key), 'latest'],
    check: (answer) => assert.equal(BigInt(answer), BALANCE),
  },
  {
    method: 'eth_getBlockByNumber',
    keys: ({ count }) => count + 1,
    parameters: (_chain, key) => [`0x${key.toString(16)}`, false],
    check: ({ number }, _chain, key) => assert.equal(Number(number), key),
  },
  {
    method: 'eth_getTransactionReceipt',
    keys: ({ hashes }) => hashes.length,
    parameters: ({ hashes }, key) => [hashes[key]],
    check: ({ transactionHash, status, logs }, { hashes }, key) => {
      assert.deepEqual([transactionHash, status, logs.length], [hashes[key], '0x1', 1]);
    },
  },
  {
    method: 'eth_call',
    keys: ({ count }) => count,
    parameters: ({ firstAccount }, key) => {
      return [{ to: TOKEN_ADDRESS, data: balanceOf(accountAt(firstAccount + key)) }, 'latest'];
    },
    // The holders that had a transfer later have two shares.
    check: (answer) => assert.ok([SHARE, 2n * SHARE].includes(BigInt(answer))),
  },
];

function hexOf(bytes) {
  return `0x${Buffer.from(bytes).toString('hex')}`;
}

function addressAt(position) {
  return hexOf(accountAddress(accountAt(position)));
}

/**
 * Starts a node for each chain and measures every read in rounds, in which the chains take turns.
 *
 * @param {{ folder: string, count: number, firstAccount: number, hashes: string[] }[]} chains
 * @param {{ rounds: number, seconds: number, warmUp: number, program: string, scratch: string }} options `scratch` is a
 *   folder for the requests
 * @returns each node's start in milliseconds and memory in MiB; and for each read and chain the rounds' answers a
 *   second, and microseconds of the node's processor time for an answer
 */
export async function measureReads(chains, options) {
  const nodes = [];
  try {
    for (const chain of chains)
      nodes.push({ chain, node: await startPeer(nodeOn(chain, options), { mostMemory: Infinity }) });
    const results = [];
    for (const read of READS) results.push(await measureRead(read, nodes, options));
    return {
      results,
      nodes: nodes.map(({ node }) => ({ startMs: node.startMs, ...memoryOf(node.processId) })),
    };
  } finally {
    await Promise.all(nodes.map(({ node }) => node.stop()));
  }
}

/** The node on a chain, as the benchmark of the peers starts one. */
function nodeOn({ folder, count }, { program }) {
  return {
    name: `scale-${count}`,
    find: () => ({ version: '' }),
    command: (_found, port) => [
      process.execPath,
      program,
      ...['start', '--test', '--data-dir', folder, '--port', String(port), '--quiet'],
    ],
  };
}

async function measureRead(read, nodes, { rounds, seconds, warmUp, scratch }) {
  const measured = [];
  for (const { chain, node } of nodes) {
    const file = join(scratch, `${read.method}-${chain.count}`);
    writeFileSync(file, requestsOf(read, chain));
    await checkRead(read, chain, node);
    const load = { port: node.port, file, connections: CONNECTIONS };
    const warmth = await sendLines({ ...load, from: 0, seconds: warmUp });
    measured.push({ count: chain.count, node, load, from: warmth.requests, rates: [], microseconds: [] });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < measured.length; turn += 1) {
      const one = measured[(turn + round) % measured.length];
      showProgress(`${read.method}, round ${round + 1} of ${rounds}, ${one.count}        `);
      const before = processorTimes(one.node);
      const { requests, rate } = await sendLines({ ...one.load, from: one.from, seconds });
      const { peer } = processorTimes(one.node);
      one.from += requests;
      one.rates.push(rate);
      one.microseconds.push((MICROSECONDS * (peer - before.peer)) / requests);
    }
  }
  const chains = measured.map(({ count, rates, microseconds }) => ({ count, rates, microseconds }));
  return { method: read.method, chains };
}

/** The texts of the requests, a line each. */
function requestsOf({ method, keys, parameters }, chain) {
  const random = randomNumbers(chain.count);
  const most = keys(chain);
  const lines = Array.from({ length: REQUESTS }, () => {
    return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: parameters(chain, random(most)) });
  });
  return `${lines.join('\n')}\n`;
}

async function checkRead({ method, keys, parameters, check }, chain, { port }) {
  const random = randomNumbers(1);
  await withConnection(port, async (connection) => {
    for (let index = 0; index < CHECKED; index += 1) {
      const key = random(keys(chain));
      check(await connection.call(method, ...parameters(chain, key)), chain, key);
    }
  });
}
