/** Times actions, and alternates workloads. */

/**
 * Runs an action and returns its result and its milliseconds.
 *
 * @template T
 * @param {() => T | Promise<T>} action
 */
export async function timed(action) {
  const started = performance.now();
  const value = await action();
  return { value, ms: performance.now() - started };
}

/**
 * Runs a synchronous action and returns its result, its time and the CPU time of all threads of the process.
 *
 * @template T
 * @param {() => T} action
 */
export function measured(action) {
  const started = performance.now();
  const before = process.cpuUsage();
  const value = action();
  const { user, system } = process.cpuUsage(before);
  return { value, taken: { ms: performance.now() - started, processorMs: (user + system) / 1_000 } };
}

/**
 * The order of a round: another one begins each time, so that none is always the first.
 *
 * @template T
 * @param {readonly T[]} all
 * @param {number} round rounds below 0, which do not count, are in the order of round 0
 */
export function inTurn(all, round) {
  const first = Math.max(round, 0) % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}
