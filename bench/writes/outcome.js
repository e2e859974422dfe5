/** The outcome of one measurement. */

import { busyBetween } from '../harness/processor.js';

/**
 * @typedef {object} Outcome
 * @property {number} value in the unit of the row
 * @property {number} [processor] CPU microseconds of all threads of the node for a transaction
 * @property {import('../harness/processor.js').Busy} [busy] processors that were busy
 * @property {string} [note]
 */

/**
 * Makes the outcome of a number of transactions between two looks at the processor times.
 *
 * @param {number} value
 * @param {Pick<import('./load.js').Sent, 'transactions' | 'before' | 'after'>} sent
 * @returns {Outcome}
 */
export function outcomeOf(value, { transactions, before, after }) {
  return {
    value,
    processor: (1e6 * (after.server - before.server)) / transactions,
    busy: busyBetween(before, after),
  };
}
