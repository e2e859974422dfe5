/** The same query over HTTP: this node, and anvil with the same logs on an equally long chain. */

import { call } from '../../test/rpc-client.js';
import { anvilCommand } from '../harness/anvil.js';
import { randomNumbers } from '../harness/random.js';
import { median, showCount, showMs } from '../harness/report.js';
import { timed } from '../harness/rounds.js';
import { startServer } from '../harness/server.js';
import { toHex } from '../harness/words.js';
import { EMITTER_CODE, emitterData } from './emitter.js';
import { accountOf, LOGS_PER_BLOCK, MATCHES, POPULAR_CONTRACT, probeOf, TRANSFER_TOPIC } from './plan.js';

const ACCOUNTS = 100_000;
/** Runs of the query, after one that does not count. */
const RUNS = 30;

/** Rows of a table about one node: the same query, again and again, over HTTP. */
export async function measureOverHttp(name, url, blocks, address, buildSeconds) {
  const topics = [null, toHex(probeOf(0))];
  const query = [{ address, topics, fromBlock: '0x0', toBlock: 'latest' }];
  const times = [];
  for (let run = 0; run <= RUNS; run += 1) {
    const { value, ms } = await timed(() => call(url, 'eth_getLogs', ...query));
    if (value.length !== MATCHES) throw new RangeError(`${name} found ${value.length} logs, not ${MATCHES}`);
    if (run > 0) times.push(ms);
  }
  return [
    name,
    showCount(blocks),
    showCount(blocks * LOGS_PER_BLOCK),
    showMs(Math.min(...times)),
    showMs(median(times)),
    `${buildSeconds.toFixed(0)} s`,
  ];
}

/** The head of the table that `measureOverHttp` gives rows of. */
export const HTTP_HEAD = ['node', 'blocks', 'logs', 'fastest', 'median', 'making the chain'];

/** The address that this node's chain has most logs of. */
export const OUR_ADDRESS = toHex(POPULAR_CONTRACT);

/** Starts anvil, has it make a chain and gives what `measureOverHttp` needs; `stop` ends it. */
export async function startAnvil(blocks, progress) {
  const anvil = await startServer((port) => [...anvilCommand(port), '--no-mining']);
  try {
    const { value: address, ms } = await timed(() => makeChain(anvil.url, blocks, progress));
    return { ...anvil, address, seconds: ms / 1_000 };
  } catch (error) {
    await anvil.stop();
    throw error;
  }
}

/** One transaction to a block, each with as many logs as a block of the other chain. */
async function makeChain(url, blocks, progress) {
  const [from] = await call(url, 'eth_accounts');
  const creation = { from, data: `0x${EMITTER_CODE}`, gas: '0xf4240' };
  const created = await call(url, 'eth_sendTransaction', creation);
  await call(url, 'evm_mine');
  const { contractAddress } = await call(url, 'eth_getTransactionReceipt', created);
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
    // Otherwise anvil would put several transactions into one block.
    await call(url, 'eth_sendTransaction', { from, to: contractAddress, data, gas: '0x30d40' });
    await call(url, 'evm_mine');
    if ((block + 1) % 100 === 0) progress(block + 1);
  }
  const head = Number(await call(url, 'eth_blockNumber'));
  if (head < blocks) throw new RangeError(`anvil made ${head} blocks, not ${blocks}`);
  return contractAddress;
}
