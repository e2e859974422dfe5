/** Measures reads of random keys over HTTP, from nodes on chains of several sizes, alternating. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountAddress, contractAddress } from '../../dist/protocol/index.js';
import { requestOf } from '../../test/rpc-client.js';
import { withConnection } from '../harness/connection.js';
import { startLedgerd } from '../harness/ledgerd.js';
import { busyBetween, memoryOf, processorTimes } from '../harness/processor.js';
import { randomNumbers } from '../harness/random.js';
import { showProgress } from '../harness/report.js';
import { inTurn } from '../harness/rounds.js';
import { quantity, toHex } from '../harness/words.js';
import { sendLines } from '../harness/wrk.js';
import { BALANCE, SHARE } from './chain.js';
import { accountAt, balanceOf, TOKEN } from './transactions.js';

/** Requests of a kind that are made beforehand: so many that a large chain's are not over before the measurement. */
const REQUESTS_FOR_A_KEY = 200;
const REQUESTS_MAX = 1_000_000;
/** Number of responses of a kind that are checked before the measurement. */
const CHECKED = 20;
const CONNECTIONS = 32;
/** Microseconds in a second. */
const MICROSECONDS = 1e6;

const TOKEN_ADDRESS = toHex(contractAddress(TOKEN));

/** The reads: parameters from a random number below the number of keys, and a check of the result. */
export const READS = [
  {
    method: 'eth_getBalance',
    keys: ({ count }) => count,
    parameters: ({ firstAccount }, key) => [addressAt(firstAccount + key), 'latest'],
    check: (result) => assert.equal(BigInt(result), BALANCE),
  },
  {
    method: 'eth_getBlockByNumber',
    keys: ({ count }) => count + 1,
    parameters: (_chain, key) => [quantity(key), false],
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
    check: (result) => assert.ok([SHARE, 2n * SHARE].includes(BigInt(result))),
  },
];

function addressAt(position) {
  return toHex(accountAddress(accountAt(position)));
}

/**
 * Starts a node for each chain and measures every read in rounds, in which the chains take turns.
 *
 * @param {{ folder: string, count: number, firstAccount: number, hashes: string[] }[]} chains
 * @param {{ rounds: number, seconds: number, warmUp: number, program: string, scratch: string }} options `scratch` is a
 *   folder for the requests
 * @returns each node's start in milliseconds and memory in MiB; and for each read and chain the rounds' responses
 *   a second, microseconds of the node's processor time for a response, and how many processors were busy
 */
export async function measureReads(chains, options) {
  const nodes = [];
  try {
    for (const chain of chains) nodes.push({ chain, node: await startOn(chain, options) });
    const results = [];
    for (const read of READS) {
      const prepared = [];
      for (const { chain, node } of nodes) prepared.push(await prepare(read, chain, node, options));
      results.push({ method: read.method, chains: prepared });
    }
    for (let round = 0; round < options.rounds; round += 1) {
      for (const result of results) await measureRound(result, round, options);
    }
    return {
      results: results.map(({ method, chains: all }) => ({
        method,
        chains: all.map(({ figures }) => figures),
      })),
      nodes: nodes.map(({ node }) => ({ startMs: node.startMs, ...memoryOf(node.processId) })),
    };
  } finally {
    await Promise.all(nodes.map(({ node }) => node.stop()));
  }
}

function startOn({ folder }, { program }) {
  return startLedgerd(['--test', '--data-dir', folder, '--quiet'], { program });
}

/** Writes the requests of a read, checks the results, and warms the node up. */
async function prepare(read, chain, node, { warmUp, scratch }) {
  const file = join(scratch, `${read.method}-${chain.count}`);
  writeFileSync(file, requestsOf(read, chain));
  await checkRead(read, chain, node.port);
  const load = { port: node.port, file, connections: CONNECTIONS };
  const { requests } = await sendLines({ ...load, seconds: warmUp });
  const figures = { count: chain.count, rates: [], microseconds: [], busy: [] };
  return { node, load, lines: linesOf(chain), from: requests, figures };
}

/** Measures a read on every chain, in each round beginning with another one. */
async function measureRound({ method, chains }, round, { rounds, seconds }) {
  for (const one of inTurn(chains, round)) {
    const { node, load, lines, figures } = one;
    showProgress(`round ${round + 1} of ${rounds}: ${method}, ${figures.count}        `);
    const before = processorTimes(node);
    const { requests, rate } = await sendLines({ ...load, from: one.from % lines, seconds });
    const after = processorTimes(node);
    one.from += requests;
    figures.rates.push(rate);
    figures.microseconds.push((MICROSECONDS * (after.server - before.server)) / requests);
    figures.busy.push(busyBetween(before, after));
  }
}

function linesOf({ count }) {
  return Math.min(REQUESTS_MAX, REQUESTS_FOR_A_KEY * count);
}

/** The texts of the requests, a line each. */
function requestsOf({ method, keys, parameters }, chain) {
  const random = randomNumbers(chain.count);
  const most = keys(chain);
  const lines = Array.from({ length: linesOf(chain) }, () => {
    return requestOf(method, ...parameters(chain, random(most)));
  });
  return `${lines.join('\n')}\n`;
}

async function checkRead({ method, keys, parameters, check }, chain, port) {
  const random = randomNumbers(1);
  await withConnection(port, async (connection) => {
    for (let index = 0; index < CHECKED; index += 1) {
      const key = random(keys(chain));
      check(await connection.call(method, ...parameters(chain, key)), chain, key);
    }
  });
}
