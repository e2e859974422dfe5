/** Goals of a node for its subscribers, while others do not read. */

export const GOALS = {
  /** Milliseconds within which 99 % of the notifications come. */
  p99Ms: 250,
  /** Seconds within which one that never reads is closed. */
  closedSeconds: 30,
  /** MiB that the node has in memory at most. */
  memory: 1_024,
  /** Share of the blocks that were to be made. */
  blocks: 0.98,
};

/**
 * Describes the missed goals; empty if all were met.
 *
 * @param {import('./run.js').Outcome} outcome
 */
export function missedGoals({ readers, sleepers, memory, made, planned, notifications }) {
  const missed = [];
  for (const kind of /** @type {const} */ (['heads', 'logs'])) {
    const { p99, count } = readers[kind];
    if (p99 > GOALS.p99Ms) missed.push(`p99 of ${kind} over ${GOALS.p99Ms} ms`);
    if (count !== notifications[kind]) missed.push(`${notifications[kind] - count} of ${kind} lost`);
  }
  if (readers.outOfOrder > 0) missed.push(`${readers.outOfOrder} out of order`);
  if (readers.closed > 0) missed.push(`${readers.closed} readers closed (${readers.reason})`);
  if (Math.max(sleepers.oldest, ...sleepers.closedAfter) > GOALS.closedSeconds) {
    missed.push(`one that never reads open for over ${GOALS.closedSeconds} s`);
  }
  if (memory > GOALS.memory) missed.push(`memory over ${GOALS.memory} MiB`);
  if (made < GOALS.blocks * planned) missed.push(`${planned - made} of ${planned} blocks not made`);
  return missed;
}
