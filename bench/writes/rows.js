/** The rows of the table, with their goals. */

import {
  measureLoadMemory,
  measureOtherClient,
  measureRate,
  measureStart,
  measureStartMemory,
  planFresh,
  planTokenTransfers,
  planTransfers,
  SENDERS,
} from './ethereum.js';
import { measureNode, planNode } from './native.js';

/**
 * @typedef {{ transfers: number, scratch: string, programs: readonly string[] }} Options
 * @typedef {import('./peers.js').Peer} Peer
 * @typedef {import('../harness/measured.js').Outcome} Outcome
 * @typedef {object} Row
 * @property {string} name
 * @property {string} title
 * @property {'per second' | 'ms' | 'MiB'} unit
 * @property {import('../harness/measured.js').Goal} goal
 * @property {boolean} hasAnvil
 * @property {(options: Options) => any} prepare runs once, before the clock starts
 * @property {(peer: Peer, plan: any, options: Options) => Promise<Outcome>} measure
 */

const nothing = () => undefined;

const transfersOfSenders = ({ transfers }) => planTransfers(SENDERS, transfers);

/** @returns {Row} a row in which anvil is measured too */
const row = (name, unit, title, goal, prepare, measure) => {
  return { name, unit, title, goal, prepare, measure, hasAnvil: true };
};

/** @type {readonly Row[]} */
export const ROWS = [
  row(
    'fresh transfers',
    'per second',
    'new node: first 64 Ethereum transfers of one client',
    { peer: 'anvil', times: 1.5 },
    () => planFresh('transfers'),
    measureRate,
  ),
  row(
    'fresh deployments',
    'per second',
    'new node: first 24 deployments of 20 KiB of one client',
    { peer: 'anvil', times: 1.5 },
    () => planFresh('deployments'),
    measureRate,
  ),
  row(
    'senders',
    'per second',
    `Ethereum transfers of ${SENDERS} senders at once`,
    { peer: 'anvil', times: 6 },
    transfersOfSenders,
    measureRate,
  ),
  row(
    'tokens',
    'per second',
    `ERC-20 transfers of ${SENDERS} senders at once`,
    { atLeast: 3_000 },
    ({ transfers }) => planTokenTransfers(transfers),
    measureRate,
  ),
  {
    name: 'native',
    unit: 'per second',
    title: 'native transfers in batches, included in blocks of a second',
    goal: { atLeast: 8_000 },
    prepare: planNode,
    measure: measureNode,
    hasAnvil: false,
  },
  row(
    'one client',
    'per second',
    'Ethereum transfers of one client',
    { atLeast: 3_000 },
    ({ transfers }) => planTransfers(1, transfers),
    measureRate,
  ),
  row('start', 'ms', 'start to the first response', { atMost: 110 }, nothing, measureStart),
  row(
    'blockNumber',
    'ms',
    `99 % of another client's \`eth_blockNumber\` during the transfers of ${SENDERS} senders`,
    { atMost: 10 },
    transfersOfSenders,
    (peer, plan) => measureOtherClient(peer, plan, 'frequent eth_blockNumber', 0.99),
  ),
  row(
    'call',
    'ms',
    `50 % of another client's \`eth_call\` during the transfers of ${SENDERS} senders`,
    { atMost: 20 },
    transfersOfSenders,
    (peer, plan) => measureOtherClient(peer, plan, 'frequent eth_call', 0.5),
  ),
  row('memory start', 'MiB', 'memory after the start', { atMost: 60 }, nothing, measureStartMemory),
  row(
    'memory load',
    'MiB',
    `memory after the transfers of ${SENDERS} senders`,
    { atMost: 150 },
    transfersOfSenders,
    measureLoadMemory,
  ),
];
