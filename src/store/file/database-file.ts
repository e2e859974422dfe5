import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { flush } from '../../files/durable-files.ts';
import { StoreError, type StoreErrorCode } from '../store-error.ts';
import { STORE_FILE_BYTES_MAX } from '../store-options.ts';
import { emptyDatabase, type FileState, NODE_FLAGS, PAGE_FLAGS, PageFile, tableRoot } from './page-file.ts';
import { requireFileLeft } from './process-limits.ts';

/** Readers of the database file at one time, all processes together. */
export const STORE_READERS_MAX = 1_024;
/** Size of the file whose lock processes share; it stays empty. */
export const STORE_GATE_BYTES_MAX = 1024 * 1024;

/** Name of the database file in the folder of a store. */
const FILE_NAME = 'ledger.mdb';
/** Name of the gate's file. */
const GATE_NAME = 'gate.mdb';
/** Suffix of LMDB's lock file, which is its table of readers. */
const LOCK_SUFFIX = '-lock';
/** Bytes of a lock file: a bound of its header, and 64 for each reader. */
const LOCK_BYTES = 4_096 + STORE_READERS_MAX * 64;

export function databaseFile(folder: string): string {
  return join(folder, FILE_NAME);
}

export function readersFile(folder: string): string {
  return databaseFile(folder) + LOCK_SUFFIX;
}

export function gateFile(folder: string): string {
  return join(folder, GATE_NAME);
}

/**
 * Returns true if the folder of a store has a database file with content.
 *
 * @throws StoreError STORE_FOREIGN for other files without a store, STORE_UNREADABLE if the folder can't be read or the
 *   file is no database of LMDB
 */
export function inspectFolder(folder: string): boolean {
  const names = onDisk(folder, 'STORE_UNREADABLE', () =>
    statSync(folder, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(folder),
  );
  if (names.includes(FILE_NAME)) {
    return withFile(databaseFile(folder), (file) => file.bytes > 0 && file.state() !== undefined);
  }
  // The other files of a store begin with these names, and may exist before the database file.
  if (names.some((name) => !name.startsWith(FILE_NAME) && !name.startsWith(GATE_NAME))) {
    throw new StoreError('STORE_FOREIGN', `the folder ${folder} holds other files and no ${FILE_NAME}`);
  }
  return false;
}

/**
 * Creates the folder, the database file and its table of readers if they are missing, and rejects files that can't be
 * written to: LMDB would abort the process.
 *
 * @throws StoreError STORE_READ_ONLY or STORE_UNREADABLE
 */
export function prepareFolder(folder: string, durable: boolean, bytesMax = STORE_FILE_BYTES_MAX): void {
  onDisk(folder, 'STORE_READ_ONLY', () => {
    mkdirSync(folder, { recursive: true });
    prepareFile(databaseFile(folder), emptyDatabase(bytesMax), durable);
  });
  prepareReaders(folder);
}

/** Creates the files of the gate if they are missing. @throws StoreError STORE_READ_ONLY or STORE_UNREADABLE */
export function prepareGate(folder: string, durable: boolean): void {
  const gate = gateFile(folder);
  onDisk(folder, 'STORE_READ_ONLY', () => {
    prepareFile(gate, emptyDatabase(STORE_GATE_BYTES_MAX), durable);
    prepareFile(gate + LOCK_SUFFIX, new Uint8Array(LOCK_BYTES), false);
  });
}

/**
 * Ensures that the table of readers of a database file is writable. If it is not, LMDB reads without registering, and
 * sees pages that a writer reuses. It opens no other file of the store, since closing a descriptor releases this
 * process's lock on the file.
 *
 * @throws StoreError STORE_READ_ONLY or STORE_UNREADABLE
 */
export function prepareReaders(folder: string): void {
  const file = readersFile(folder);
  onDisk(folder, 'STORE_READ_ONLY', () => prepareFile(file, new Uint8Array(LOCK_BYTES), false));
}

/**
 * Creates a missing file with all its bytes. If LMDB created it on a full disk, it would abort the process: it does not
 * handle errors while it writes the first pages of a database, and its table of readers is a sparse file, to which it
 * writes by a memory map. The file appears atomically and is never replaced, so that all processes share one.
 */
function prepareFile(file: string, content: Uint8Array, flush: boolean): void {
  if (existsSync(file)) {
    closeSync(openSync(file, 'r+'));
    return;
  }
  const draft = `${file}-${process.pid}`;
  try {
    writeFileSync(draft, content, { flush });
    linkSync(draft, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Flushes the names of a new folder and of its files to the disk. */
export function flushNames(folder: string): void {
  for (const path of [folder, dirname(folder)]) flush(path);
}

/** Reads a database file. Converts errors of the system to StoreErrors. */
export function withFile<T>(path: string, action: (file: PageFile) => T): T {
  return onDisk(path, 'STORE_UNREADABLE', () => {
    const descriptor = openSync(path, 'r');
    try {
      return action(new PageFile(descriptor, path));
    } finally {
      closeSync(descriptor);
    }
  });
}

/** Runs file operations. Converts errors of the system to StoreErrors: `unpermitted` if permission is lacking. */
function onDisk<T>(path: string, unpermitted: StoreErrorCode, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof StoreError) throw error;
    requireFileLeft(error);
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    const code = ['EROFS', 'EACCES', 'EPERM'].includes(reason) ? unpermitted : 'STORE_UNREADABLE';
    throw new StoreError(code, `the store in ${path} can't be opened (${reason})`, { cause: error });
  }
}

/**
 * Rejects a database file that is too short or whose trees have no valid root page: LMDB would abort the process. No
 * process may write to the file meanwhile.
 *
 * @throws StoreError STORE_UNREADABLE
 */
export function requireComplete(path: string): void {
  withFile(path, (file) => {
    const state = file.state();
    requireLength(file, state);
    if (state.freeRoot !== undefined) file.nodes(state.freeRoot, state);
    if (state.mainRoot !== undefined) requireTables(file, state, state.mainRoot);
  });
}

/** Rejects a file with missing pages. Pages at its end may be missing if they were freed before they were written. */
function requireLength(file: PageFile, state: FileState): void {
  const pages = state.lastPage + 1;
  const present = Math.floor(file.bytes / state.pageBytes);
  if (present >= pages) return;
  let missing = pages - present;
  for (const { first, count } of file.freePages(state)) {
    missing -= Math.max(0, Math.min(first + count, pages) - Math.max(first, present));
  }
  if (missing > 0) throw file.damaged(`${missing} of its ${pages} pages are missing`);
}

/** Checks the roots of all tables. Those of a store fit on one page; `readFormat` rejects a file with more. */
function requireTables(file: PageFile, state: FileState, page: number): void {
  const { flags, nodes } = file.nodes(page, state);
  if ((flags & PAGE_FLAGS.leaf) === 0) return;
  for (const node of nodes) {
    const root = (node.flags & NODE_FLAGS.tree) === 0 ? undefined : tableRoot(node);
    if (root !== undefined) file.nodes(root, state);
  }
}
