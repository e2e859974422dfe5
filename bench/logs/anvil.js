/** The same query over HTTP: this node, and anvil with the same logs on an equally long chain. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { bytesToHex } from '../../dist/protocol/index.js';
import { quantile, showCount, showMs, timed } from '../timing.js';
import { EMITTER_CODE, emitterData } from './emitter.js';
import {
  accountOf,
  LOGS_PER_BLOCK,
  MATCHES,
  POPULAR_CONTRACT,
  probeOf,
  randomNumbers,
  TRANSFER_TOPIC,
} from './plan.js';

const ACCOUNTS = 100_000;
/** Runs of the query, after one that does not count. */
const RUNS = 30;
const START_MS = 20_000;

/** Rows of a table about one node: the same query, again and again, over HTTP. */
export async function measureOverHttp(name, url, blocks, address, buildSeconds) {
  const topics = [null, prefixed(probeOf(0))];
  const query = [{ address, topics, fromBlock: '0x0', toBlock: 'latest' }];
  const times = [];
  for (let run = 0; run <= RUNS; run += 1) {
    const { value, ms } = await timed(() => call(url, 'eth_getLogs', query));
    if (value.length !== MATCHES) throw new RangeError(`${name} found ${value.length} logs, not ${MATCHES}`);
    if (run > 0) times.push(ms);
  }
  return [
    name,
    showCount(blocks),
    showCount(blocks * LOGS_PER_BLOCK),
    showMs(Math.min(...times)),
    showMs(quantile(times, 0.5)),
    `${buildSeconds.toFixed(0)} s`,
  ];
}

/** The head of the table that `measureOverHttp` gives rows of. */
export const HTTP_HEAD = ['node', 'blocks', 'logs', 'fastest', 'median', 'making the chain'];

/** The address that this node's chain has most logs of. */
export const OUR_ADDRESS = prefixed(POPULAR_CONTRACT);

/** Starts anvil, has it make a chain and gives what `measureOverHttp` needs; `stop` ends it. */
export async function startAnvil(blocks, progress) {
  const require = createRequire(import.meta.url);
  const port = await freePort();
  const parameters = [require.resolve('@foundry-rs/anvil/bin.mjs'), '--port', String(port), '--silent'];
  const child = spawn(process.execPath, [...parameters, '--no-mining'], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill();
    await exited;
  };
  try {
    const url = `http://127.0.0.1:${port}`;
    await answering(url);
    const { value: address, ms } = await timed(() => makeChain(url, blocks, progress));
    return { url, address, seconds: ms / 1_000, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** One transaction to a block, each with as many logs as a block of the other chain. */
async function makeChain(url, blocks, progress) {
  const [from] = await call(url, 'eth_accounts', []);
  const created = await call(url, 'eth_sendTransaction', [
    { from, data: `0x${EMITTER_CODE}`, gas: '0xf4240' },
  ]);
  await call(url, 'evm_mine', []);
  const { contractAddress } = await call(url, 'eth_getTransactionReceipt', [created]);
  const random = randomNumbers(4);
  const chosen = new Set();
  while (chosen.size < MATCHES) chosen.add(random(blocks * LOGS_PER_BLOCK));
  for (let block = 0; block < blocks; block += 1) {
    const logs = Array.from({ length: LOGS_PER_BLOCK }, (_, log) => [
      TRANSFER_TOPIC,
      chosen.has(block * LOGS_PER_BLOCK + log) ? probeOf(0) : accountOf(random(ACCOUNTS)),
      accountOf(random(ACCOUNTS)),
    ]);
    const data = `0x${emitterData(logs)}`;
    // By itself anvil puts transactions that come quickly into one block.
    await call(url, 'eth_sendTransaction', [{ from, to: contractAddress, data, gas: '0x30d40' }]);
    await call(url, 'evm_mine', []);
    if ((block + 1) % 100 === 0) progress(block + 1);
  }
  const head = Number(await call(url, 'eth_blockNumber', []));
  if (head < blocks) throw new RangeError(`anvil made ${head} blocks, not ${blocks}`);
  return contractAddress;
}

async function call(url, method, params) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = await response.json();
  if (error !== undefined) throw new TypeError(`${method}: ${error.message}`);
  return result;
}

/** Waits until a node answers. */
async function answering(url) {
  const end = performance.now() + START_MS;
  while (true) {
    try {
      await call(url, 'eth_chainId', []);
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

function prefixed(bytes) {
  return `0x${bytesToHex(bytes)}`;
}
