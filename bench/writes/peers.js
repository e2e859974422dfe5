/** The measured programs, and the nodes of a row. */

import { anvilCommand } from '../harness/anvil.js';
import { startLedgerd } from '../harness/ledgerd.js';
import { startServer } from '../harness/server.js';

/**
 * @typedef {import('../harness/server.js').Server & { path: string }} Node `path` has the Ethereum profile
 * @typedef {object} Peer
 * @property {string} name
 * @property {string} [program] absent: anvil
 * @property {(accounts: number) => Promise<Node>} startEthereum starts a chain with funded Ethereum accounts
 * @property {(words: readonly string[]) => Promise<Node>} start starts with flags
 */

/** Returns the peers: each program of ledgerd, and anvil. */
export function peersOf(programs) {
  const own = programs.map((program, index) => {
    return ledgerdPeer(programs.length === 1 ? 'ledgerd' : `ledgerd ${index + 1}`, program);
  });
  return [...own, ANVIL];
}

/**
 * Runs an action with a node, and stops it.
 *
 * @template T
 * @param {Promise<Node>} starting
 * @param {(node: Node) => Promise<T>} action
 * @returns {Promise<T>}
 */
export async function withNode(starting, action) {
  const node = await starting;
  try {
    return await Promise.race([action(node), node.failed]);
  } finally {
    await node.stop();
  }
}

/** @returns {Peer} */
function ledgerdPeer(name, program) {
  const start = async (words) => ({ ...(await startLedgerd(words, { program })), path: '/ethereum' });
  return {
    ...{ name, program, start },
    startEthereum: (accounts) => start(['--ethereum', '--accounts', String(accounts), '--quiet']),
  };
}

/** @type {Peer} */
const ANVIL = {
  name: 'anvil',
  start: async (words) => ({
    ...(await startServer((port) => [...anvilCommand(port), ...words])),
    path: '/',
  }),
  startEthereum: (accounts) => ANVIL.start(['--accounts', String(accounts), '--base-fee', '0']),
};
