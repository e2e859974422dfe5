import { readdirSync, readFileSync } from 'node:fs';
import { STORE_ADDRESS_BYTES_MIN, STORE_OPEN_FILES_MIN } from '../../limits.ts';
import { StoreError } from '../errors.ts';

const BYTES_OF_KIB = 1_024;

/**
 * Makes sure that the system lets this process open as many files, and map as much memory, as a store needs: LMDB and
 * what is around it end the process by a signal where it does not. Where the system has no `/proc`, nothing is known.
 *
 * @throws StoreError STORE_LIMITED, which names limit and need
 */
export function requireProcessLimits(): void {
  const limits = read('/proc/self/limits');
  if (limits === undefined) return;
  const files = softLimit(limits, 'Max open files');
  const openFiles = files === undefined ? 0 : countOpenFiles(files);
  if (files !== undefined && files - openFiles < STORE_OPEN_FILES_MIN) {
    throw tooLow(
      'open files',
      '-n',
      files,
      `${openFiles} are open, and ${STORE_OPEN_FILES_MIN} more are needed`,
    );
  }
  const bytes = softLimit(limits, 'Max address space');
  if (bytes === undefined) return;
  const needed = mappedBytes() + STORE_ADDRESS_BYTES_MIN;
  if (bytes < needed) {
    throw tooLow(
      'address space',
      '-v',
      bytes,
      `${needed} bytes are needed, only for addresses, not for memory`,
    );
  }
}

function tooLow(what: string, flag: string, limit: number, need: string): StoreError {
  const message = `the limit of ${what} (ulimit ${flag}) is too low: it is ${limit}; ${need}`;
  return new StoreError('STORE_LIMITED', message);
}

/** The soft limit of a line of `/proc/self/limits`; `undefined` for none. */
function softLimit(limits: string, name: string): number | undefined {
  const line = limits.split('\n').find((candidate) => candidate.startsWith(name));
  const [, soft] = /^\s+(\d+)\s/.exec(line?.slice(name.length) ?? '') ?? [];
  return soft === undefined ? undefined : Number(soft);
}

/** Files that this process has open; the limit where not even these can be listed. */
function countOpenFiles(limit: number): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return limit;
  }
}

function mappedBytes(): number {
  const [, kibibytes] = /^VmSize:\s+(\d+) kB/m.exec(read('/proc/self/status') ?? '') ?? [];
  return Number(kibibytes ?? 0) * BYTES_OF_KIB;
}

/** The text of a file of the system's; `undefined` where there is none. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    requireFileLeft(error);
    return undefined;
  }
}

/**
 * Lets a failure to open a file pass unless it is for want of open files.
 *
 * @throws StoreError STORE_LIMITED
 */
export function requireFileLeft(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EMFILE')) return;
  const message = 'the limit of open files (ulimit -n) is too low: all are in use';
  throw new StoreError('STORE_LIMITED', message, { cause: error });
}
