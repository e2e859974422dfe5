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

/** @returns {Row} a row of transactions a second */
const rateOf = (name, title, goal, prepare, measure = measureRate, hasAnvil = true) => ({
  ...{ name, title, goal, prepare, measure, hasAnvil, unit: 'per second' },
});

/** @type {readonly Row[]} */
export const ROWS = [
  rateOf(
    'fresh transfers',
    'new node: first 64 Ethereum transfers of one client',
    { peer: 'anvil', times: 1.5 },
    () => planFresh('transfers'),
  ),
  rateOf(
    'fresh deployments',
    'new node: first 24 deployments of 20 KiB of one client',
    { peer: 'anvil', times: 1.5 },
    () => planFresh('deployments'),
  ),
  rateOf(
    'senders',
    `Ethereum transfers of ${SENDERS} senders at once`,
    { peer: 'anvil', times: 6 },
    ({ transfers }) => planTransfers(SENDERS, transfers),
  ),
  rateOf('tokens', `ERC-20 transfers of ${SENDERS} senders at once`, { atLeast: 3_000 }, ({ transfers }) =>
    planTokenTransfers(transfers),
  ),
  rateOf(
    'native',
    'native transfers in batches, included in blocks of a second',
    { atLeast: 8_000 },
    planNode,
    measureNode,
    false,
  ),
  rateOf('one client', 'Ethereum transfers of one client', { atLeast: 3_000 }, ({ transfers }) =>
    planTransfers(1, transfers),
  ),
  {
    ...{ name: 'start', title: 'start to the first response' },
    ...{ unit: 'ms', goal: { atMost: 110 }, hasAnvil: true, prepare: nothing, measure: measureStart },
  },
  {
    ...{
      name: 'blockNumber',
      title: `99 % of another client's \`eth_blockNumber\` during the transfers of ${SENDERS} senders`,
    },
    ...{
      unit: 'ms',
      goal: { atMost: 10 },
      hasAnvil: true,
      prepare: ({ transfers }) => planTransfers(SENDERS, transfers),
      measure: measureOtherClient,
    },
  },
  {
    ...{ name: 'memory start', title: 'memory after the start' },
    ...{ unit: 'MiB', goal: { atMost: 60 }, hasAnvil: true, prepare: nothing, measure: measureStartMemory },
  },
  {
    ...{ name: 'memory load', title: `memory after the transfers of ${SENDERS} senders` },
    ...{
      unit: 'MiB',
      goal: { atMost: 150 },
      hasAnvil: true,
      prepare: ({ transfers }) => planTransfers(SENDERS, transfers),
      measure: measureLoadMemory,
    },
  },
];
