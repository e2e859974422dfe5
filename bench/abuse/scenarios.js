/** The attacked nodes, their attacks, and the requests of a well-behaved client meanwhile. */

import { freePort } from '../../test/free-ports.js';
import { BLOCK_ATTACKS, CLIENT_ATTACKS, FOLLOWED_ATTACKS } from './attacks.js';
import { startFollower, startTestNode, writeLogs } from './node.js';

const CLIENT_KINDS = ['eth_blockNumber', 'eth_call', 'eth_sendTransaction', 'new connection'];

/**
 * Each starts a node for attacks of one kind, which makes a block at once (0) or every so many seconds; `start` gives
 * the node and the port that its attackers are told.
 *
 * @typedef {import('./node.js').NodeOptions & { logs: number, progress(count: number): void }} Options
 * @typedef {{ node: import('../harness/server.js').Server, attackedPort: number }} Attacked
 * @typedef {{ attacks: string[], kinds: string[], isSharedByAttacks: boolean, blockSeconds: number,
 *   start(options: Options): Promise<Attacked> }} Scenario
 * @type {readonly Scenario[]}
 */
export const SCENARIOS = [
  {
    attacks: Object.keys(CLIENT_ATTACKS),
    kinds: CLIENT_KINDS,
    isSharedByAttacks: true,
    blockSeconds: 0,
    start: async (options) => {
      const node = await startTestNode(options);
      await writeLogs(node.url, options.logs, options.progress);
      return { node, attackedPort: node.port };
    },
  },
  {
    attacks: Object.keys(BLOCK_ATTACKS),
    kinds: CLIENT_KINDS,
    isSharedByAttacks: false,
    blockSeconds: 3,
    start: async (options) => {
      const node = await startTestNode(options, ['--block-time', '3']);
      return { node, attackedPort: node.port };
    },
  },
  {
    attacks: Object.keys(FOLLOWED_ATTACKS),
    kinds: ['eth_blockNumber', 'eth_call'],
    isSharedByAttacks: false,
    blockSeconds: 3,
    start: async (options) => {
      const attackedPort = await freePort();
      return { node: await startFollower(options, attackedPort), attackedPort };
    },
  },
];
