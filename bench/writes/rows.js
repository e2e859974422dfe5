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

/** @type {readonly Row[]} */
export const ROWS = [
  {
    name: 'fresh transfers',
    title: 'new node: first 64 Ethereum transfers of one client',
    unit: 'per second',
    goal: { peer: 'anvil', times: 1.5 },
    hasAnvil: true,
    prepare: () => planFresh('transfers'),
    measure: measureRate,
  },
  {
    name: 'fresh deployments',
    title: 'new node: first 24 deployments of 20 KiB of one client',
    unit: 'per second',
    goal: { peer: 'anvil', times: 1.5 },
    hasAnvil: true,
    prepare: () => planFresh('deployments'),
    measure: measureRate,
  },
  {
    name: 'senders',
    title: `Ethereum transfers of ${SENDERS} senders at once`,
    unit: 'per second',
    goal: { peer: 'anvil', times: 6 },
    hasAnvil: true,
    prepare: ({ transfers }) => planTransfers(SENDERS, transfers),
    measure: measureRate,
  },
  {
    name: 'tokens',
    title: `ERC-20 transfers of ${SENDERS} senders at once`,
    unit: 'per second',
    goal: { atLeast: 3_000 },
    hasAnvil: true,
    prepare: ({ transfers }) => planTokenTransfers(transfers),
    measure: measureRate,
  },
  {
    name: 'native',
    title: 'native transfers in batches, included in blocks of a second',
    unit: 'per second',
    goal: { atLeast: 8_000 },
    hasAnvil: false,
    prepare: planNode,
    measure: measureNode,
  },
  {
    name: 'one client',
    title: 'Ethereum transfers of one client',
    unit: 'per second',
    goal: { atLeast: 3_000 },
    hasAnvil: true,
    prepare: ({ transfers }) => planTransfers(1, transfers),
    measure: measureRate,
  },
  {
    name: 'start',
    title: 'start to the first response',
    unit: 'ms',
    goal: { atMost: 110 },
    hasAnvil: true,
    prepare: nothing,
    measure: measureStart,
  },
  {
    name: 'blockNumber',
    title: `99 % of another client's \`eth_blockNumber\` during the transfers of ${SENDERS} senders`,
    unit: 'ms',
    goal: { atMost: 10 },
    hasAnvil: true,
    prepare: ({ transfers }) => planTransfers(SENDERS, transfers),
    measure: measureOtherClient,
  },
  {
    name: 'memory start',
    title: 'memory after the start',
    unit: 'MiB',
    goal: { atMost: 60 },
    hasAnvil: true,
    prepare: nothing,
    measure: measureStartMemory,
  },
  {
    name: 'memory load',
    title: `memory after the transfers of ${SENDERS} senders`,
    unit: 'MiB',
    goal: { atMost: 150 },
    hasAnvil: true,
    prepare: ({ transfers }) => planTransfers(SENDERS, transfers),
    measure: measureLoadMemory,
  },
];
