/** Measures Ethereum transactions in test mode, on a new node in each round. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { memoryOf } from '../harness/processor.js';
import { quantile, showMs } from '../harness/report.js';
import { Load, outcomeOf } from './load.js';
import { withNode } from './peers.js';
import { Senders } from './senders.js';

/** Accounts of a node; as many send at once. */
export const SENDERS = 64;
/** Accounts of a node whose start is measured: the default of both peers. */
const START_ACCOUNTS = 10;
/** Transactions on a new chain. */
const FRESH = { transfers: 64, deployments: 24 };
/** Transactions before a load that are not measured, as a share of it: they have the node's code optimised. */
const WARM_UP_SHARE = 0.25;
const PROBER = fileURLToPath(new URL('../abuse/prober.js', import.meta.url));

/**
 * Transactions of a load: those that prepare the chain, the measured lists, and how many of each list are sent before
 * and during the measurement.
 *
 * @typedef {object} Plan
 * @property {import('./senders.js').Prepared[]} first
 * @property {import('./senders.js').Prepared[][]} lists
 * @property {number} warmUp
 * @property {number} each
 */

/**
 * Plans the first transactions of one client on a new chain.
 *
 * @param {'transfers' | 'deployments'} kind
 * @returns {Plan}
 */
export function planFresh(kind) {
  const each = FRESH[kind];
  return { first: [], lists: [new Senders(SENDERS)[kind](0, each)], warmUp: 0, each };
}

/**
 * Plans transfers of several senders.
 *
 * @param {number} count of senders
 * @param {number} transfers of all of them
 * @returns {Plan}
 */
export function planTransfers(count, transfers) {
  const senders = new Senders(SENDERS);
  return planLoad(count, transfers, [], (sender, each) => senders.transfers(sender, each));
}

/**
 * Plans transfers of a token by all senders.
 *
 * @param {number} transfers
 * @returns {Plan}
 */
export function planTokenTransfers(transfers) {
  const senders = new Senders(SENDERS);
  const { token, transactions } = senders.token();
  return planLoad(SENDERS, transfers, transactions, (sender, each) =>
    senders.tokenTransfers(sender, each, token),
  );
}

function planLoad(count, transfers, first, prepare) {
  const each = Math.ceil(transfers / count);
  const warmUp = Math.ceil(each * WARM_UP_SHARE);
  const lists = Array.from({ length: count }, (_, sender) => prepare(sender, warmUp + each));
  return { first, lists, warmUp, each };
}

/** Measures the transactions a second of a plan. */
export function measureRate(peer, plan) {
  return withLoad(peer, plan, async (load) => {
    const sent = await load.send(plan.each);
    return outcomeOf((1_000 * sent.transactions) / sent.ms, sent);
  });
}

/** Measures the resident MiB of a node after a plan. */
export function measureLoadMemory(peer, plan) {
  return withLoad(peer, plan, async (load, node) => {
    const sent = await load.send(plan.each);
    return outcomeOf(memoryOf(node.processId).resident, sent);
  });
}

/** Measures the milliseconds from the start of a node to its first response. */
export function measureStart(peer) {
  return withNode(peer.startEthereum(START_ACCOUNTS), async ({ startMs }) => ({ value: startMs }));
}

/** Measures the resident MiB of a node after its first response. */
export function measureStartMemory(peer) {
  return withNode(peer.startEthereum(START_ACCOUNTS), async ({ processId }) => ({
    value: memoryOf(processId).resident,
  }));
}

/**
 * Measures the milliseconds within which a share of another client's requests are answered during a plan.
 *
 * @param {string} kind a kind of the prober
 * @param {number} share
 */
export function measureOtherClient(peer, plan, kind, share) {
  return withLoad(peer, plan, async (load, { url, path, failed }) => {
    const prober = fork(PROBER, [new URL(path, url).href, kind]);
    const endPhase = async () => {
      const ended = once(prober, 'message');
      prober.send('end');
      return (await Promise.race([ended, failed]))[0][kind];
    };
    try {
      await endPhase();
      const sent = await load.send(plan.each);
      const { times, late, failures } = await endPhase();
      if (failures > 0) throw new Error(`${failures} requests of the other client failed`);
      const slowest = showMs(quantile(times, 0.99));
      const note = `${times.length} requests, 99 % ${slowest}, own delay ${showMs(quantile(late, 0.99))}`;
      return { ...outcomeOf(quantile(times, share), sent), note };
    } finally {
      prober.kill();
    }
  });
}

/** Starts a node, prepares its chain and warms it up. */
function withLoad(peer, { first, lists, warmUp }, action) {
  return withNode(peer.startEthereum(SENDERS), async (node) => {
    if (first.length > 0) await sendFirst(node, first);
    const load = await Load.open(node, lists);
    try {
      if (warmUp > 0) await load.send(warmUp);
      return await action(load, node);
    } finally {
      load.close();
    }
  });
}

async function sendFirst(node, transactions) {
  const load = await Load.open(node, [transactions]);
  try {
    await load.send(transactions.length);
  } finally {
    load.close();
  }
}
