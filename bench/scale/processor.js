/** Time of day and of the processor. */

/**
 * Runs an action that waits for nothing.
 *
 * @returns {{ value: unknown, taken: { ms: number, processorMs: number } }} what it returned, and what it took: the
 *   processor's time is that of all threads of the process
 */
export function measured(action) {
  const started = performance.now();
  const before = process.cpuUsage();
  const value = action();
  const { user, system } = process.cpuUsage(before);
  return { value, taken: { ms: performance.now() - started, processorMs: (user + system) / 1_000 } };
}
