/** The outcome of one measurement. */

import { busyBetween } from '../harness/processor.js';

/**
 * Makes the outcome of a number of transactions between two looks at the processor times.
 *
 * @param {number} value
 * @param {Pick<import('./load.js').Sent, 'transactions' | 'before' | 'after'>} sent
 * @returns {import('../harness/measured.js').Outcome}
 */
export function outcomeOf(value, { transactions, before, after }) {
  return {
    value,
    processor: (1e6 * (after.server - before.server)) / transactions,
    busy: busyBetween(before, after),
  };
}
