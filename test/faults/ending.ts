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
