/** Measuring: what an action takes, and in which order things take turns. */

/**
 * Runs an action and gives what it returned and how many milliseconds it took.
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
 * Runs an action that waits for nothing, and gives what it returned and what it took: the processor's time is that of
 * all threads of the process.
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
