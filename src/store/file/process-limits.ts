import { readdirSync, readFileSync, statSync } from 'node:fs';
import { StoreError } from '../store-error.ts';
import { STORE_FILE_BYTES_MAX } from '../store-options.ts';

/** File descriptors that must be free when a store is opened: for the store, the server, and a reserve. */
const STORE_OPEN_FILES_MIN = 16;
/** Bytes of address space that must be free then: for the database file, and 2 GiB for all else. */
const STORE_ADDRESS_BYTES_MIN = STORE_FILE_BYTES_MAX + 2 * 1024 ** 3;

const BYTES_OF_KIB = 1_024;

/**
 * Rejects limits of this process that are too low for the files and the mapped memory of a store: LMDB would abort the
 * process by a signal. Checks nothing without `/proc`.
 *
 * @throws StoreError STORE_LIMITED with the limit and the required value
 */
export function requireProcessLimits(): void {
  const limits = read('/proc/self/limits');
  if (limits === undefined) return;
  const files = softLimit(limits, 'Max open files');
  const openFiles = files === undefined ? 0 : countOpenFiles(files);
  if (files !== undefined && files - openFiles < STORE_OPEN_FILES_MIN) {
    const need = `${openFiles} are open, and ${STORE_OPEN_FILES_MIN} more are needed`;
    throw tooLow('open files (ulimit -n)', files, need);
  }
  const bytes = softLimit(limits, 'Max address space');
  if (bytes === undefined) return;
  const needed = mappedBytes() + STORE_ADDRESS_BYTES_MIN;
  if (bytes >= needed) return;
  const need = `${needed} bytes are needed, only for addresses, not for memory`;
  throw tooLow('address space (ulimit -v)', bytes, need);
}

function tooLow(resource: string, limit: number, need: string): StoreError {
  return new StoreError('STORE_LIMITED', `the limit of ${resource} is too low: it is ${limit}; ${need}`);
}

/** Reads a soft limit from the text of `/proc/self/limits`; undefined for none. */
function softLimit(limits: string, name: string): number | undefined {
  const line = limits.split('\n').find((candidate) => candidate.startsWith(name));
  const [, soft] = /^\s+(\d+)\s/.exec(line?.slice(name.length) ?? '') ?? [];
  return soft === undefined ? undefined : Number(soft);
}

/** Counts the open files. Returns the limit if no descriptor is left to list them. */
function countOpenFiles(limit: number): number {
  try {
    // The size is their number from Linux 6.2 on, and 0 before.
    return statSync('/proc/self/fd').size || readdirSync('/proc/self/fd').length;
  } catch {
    return limit;
  }
}

function mappedBytes(): number {
  const [, kibibytes] = /^VmSize:\s+(\d+) kB/m.exec(read('/proc/self/status') ?? '') ?? [];
  return Number(kibibytes ?? 0) * BYTES_OF_KIB;
}

/** Reads a file of the system; undefined if it can't be read. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    requireFileLeft(error);
    return undefined;
  }
}

/** Rejects an error that reports too many open files. @throws StoreError STORE_LIMITED */
export function requireFileLeft(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EMFILE')) return;
  const message = 'the limit of open files (ulimit -n) is too low: all are in use';
  throw new StoreError('STORE_LIMITED', message, { cause: error });
}
