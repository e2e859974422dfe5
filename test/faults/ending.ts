/** Signals by which damaged memory ends a process. */
const DAMAGED: readonly (string | null)[] = ['SIGABRT', 'SIGSEGV', 'SIGBUS'];
/** What the library of the database says of a failed write before its message about it damages its memory. */
const LIBRARY_REPORT = /Write error: /;

/**
 * Whether a process ended as the library of the database may have it end: it reports a write of its own that failed,
 * and may then write more than it has memory for. That is no way to end for anything else.
 */
export function endedByLibrary(signal: string | null, output: string): boolean {
  return DAMAGED.includes(signal) && LIBRARY_REPORT.test(output);
}
