/** The measured nodes, which make blocks on request. */

import { call } from '../../test/rpc-client.js';
import { anvilCommand } from '../harness/anvil.js';
import { startLedgerd } from '../harness/ledgerd.js';
import { startServer } from '../harness/server.js';
import { EMITTER_CODE } from '../logs/emitter.js';

/** @typedef {import('../harness/server.js').Server} Server */

/**
 * @typedef {object} Kind
 * @property {string} name
 * @property {string} path where its WebSockets are
 * @property {(url: string) => Promise<string>} closes how many connections it has closed, by why, as it counts them
 * @property {(webSockets: number, program: string) => Promise<Server>} start
 */

/** @param {string} url */
async function closesOfLedgerd(url) {
  const text = await (await fetch(`${url}/metrics`)).text();
  const counts = text.matchAll(/^ledgerd_websockets_closed_total\{reason="(\w+)"\} (\d+)$/gm);
  return Array.from(counts, ([, reason, count]) => ({ reason, count: Number(count) }))
    .filter(({ count }) => count > 0)
    .map(({ reason, count }) => `${count} ${reason}`)
    .join(', ');
}

/** @type {readonly Kind[]} */
export const KINDS = [
  {
    name: 'ledgerd',
    path: '/',
    closes: closesOfLedgerd,
    start: (webSockets, program) =>
      startLedgerd(['--test', '--no-mining', '--max-websockets', String(webSockets)], { program }),
  },
  {
    name: 'anvil',
    path: '/',
    closes: async () => '',
    start: () => startServer((port) => [...anvilCommand(port), '--no-mining']),
  },
];

/**
 * Creates the contract that logs, and gives its address and an account.
 *
 * @param {string} url
 */
export async function deployEmitter(url) {
  const [from, to] = await call(url, 'eth_accounts');
  const creation = { from, data: `0x${EMITTER_CODE}`, gas: '0xf4240' };
  const hash = await call(url, 'eth_sendTransaction', creation);
  await call(url, 'evm_mine');
  const { contractAddress } = await call(url, 'eth_getTransactionReceipt', hash);
  return { from, to, emitter: contractAddress };
}
