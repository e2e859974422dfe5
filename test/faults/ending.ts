import type { NodeProcess } from '../node-process.ts';

/** Signals by which damaged memory ends a process. */
const DAMAGED: readonly (string | null)[] = ['SIGABRT', 'SIGSEGV', 'SIGBUS'];
/** Report of a failed write by the database library, before its message damages its memory. */
const LIBRARY_REPORT = /Write error: /;

/**
 * Returns true if a process ended in the known way of the database library: it reports a failed write, and
 * may then write beyond its memory. Any other such end is a finding.
 */
export function endedByLibrary(signal: string | null, output: string): boolean {
  return DAMAGED.includes(signal) && LIBRARY_REPORT.test(output);
}

/** Exit statuses of a node under faults: a failure, an unusable folder, or a failed disk. */
const STATUSES = [0, 1, 3, 5];

/**
 * Ends a node that ran under a fault, unless the fault has ended it. It must print why it failed.
 *
 * @throws Error for another end than that of a fault
 */
export async function endFaultyNode(node: NodeProcess): Promise<void> {
  // It may end before it receives the signal.
  if (node.isRunning) await node.end('SIGTERM').catch(() => undefined);
  const { status, signal } = await node.ended();
  if (endedByLibrary(signal, node.output)) return;
  if (signal !== null || !STATUSES.includes(status ?? -1)) {
    throw new Error(`the node ends with ${signal ?? status}\n${node.output}`);
  }
  if (status !== 0 && !/^ledgerd: .+$/m.test(node.output)) {
    throw new Error(`the node ends with ${status} and does not say why\n${node.output}`);
  }
}
