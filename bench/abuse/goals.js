/** Greatest delays of a well-behaved client under an attack. */

import { quantile } from '../harness/report.js';

/**
 * Milliseconds within which 99 % of the responses come.
 *
 * @type {Readonly<Record<'withWorkers' | 'alone', Readonly<Record<string, number>>>>}
 */
const GOALS_MS = {
  withWorkers: { eth_blockNumber: 50, eth_call: 2_000, eth_sendTransaction: 500 },
  // A call that runs is not interrupted before its second is over.
  alone: { eth_blockNumber: 1_100, eth_call: 2_000, eth_sendTransaction: 1_100 },
};

/**
 * Describes the missed goals; empty if all were met.
 *
 * @param {Readonly<Record<string, import('./prober.js').Result>>} during results of a client during the
 *   attack
 * @param {number} workers
 */
export function missedGoals(during, workers) {
  const goals = workers > 0 ? GOALS_MS.withWorkers : GOALS_MS.alone;
  return Object.entries(goals).flatMap(([kind, mostMs]) => {
    const times = during[kind]?.times ?? [];
    return times.length === 0 || quantile(times, 0.99) <= mostMs ? [] : [`\`${kind}\` over ${mostMs} ms`];
  });
}
