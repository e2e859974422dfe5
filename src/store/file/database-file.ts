import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { flush } from '../../durable-files.ts';
import { STORE_FILE_BYTES_MAX, STORE_GATE_BYTES_MAX, STORE_READERS_MAX } from '../../limits.ts';
import { StoreError, type StoreErrorCode } from '../errors.ts';
import { emptyDatabase, PageFile } from './page-file.ts';
import { requireFileLeft } from './process-limits.ts';

/** Name of the database file in the folder of a store. */
const FILE_NAME = 'ledger.mdb';
/** Name of the gate's file. */
const GATE_NAME = 'gate.mdb';
/** Suffix of LMDB's lock file, which is its table of readers. */
const LOCK_SUFFIX = '-lock';
/** Bytes of such a table: at least those of its beginning, and then those of each reader. */
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
 * @throws StoreError STORE_FOREIGN for other files without ours, STORE_UNREADABLE if the folder can't be read or the
 *   file is no database of LMDB
 */
export function inspectFolder(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const names = onDisk(folder, 'STORE_UNREADABLE', () => readdirSync(folder));
  if (names.includes(FILE_NAME)) {
    return withFile(databaseFile(folder), (file) => file.bytes > 0 && file.state() !== undefined);
  }
  // A store's other files have such names, and may exist before the database file.
  if (names.some((name) => !name.startsWith(FILE_NAME) && !name.startsWith(GATE_NAME))) {
    throw new StoreError('STORE_FOREIGN', `the folder ${folder} holds other files and no ${FILE_NAME}`);
  }
  return false;
}

/**
 * Creates the folder and its files if they are missing, and rejects those that can't be written to: LMDB would end the
 * process.
 *
 * @throws StoreError STORE_READ_ONLY or STORE_UNREADABLE.
 */
export function prepareFolder(folder: string, durable: boolean): void {
  onDisk(folder, 'STORE_READ_ONLY', () => {
    mkdirSync(folder, { recursive: true });
    prepareFile(databaseFile(folder), emptyDatabase(STORE_FILE_BYTES_MAX), durable);
  });
  prepareReading(folder, durable);
}

/**
 * Makes sure that the tables of readers can be written to: where LMDB can't, it reads unnoticed, and sees pages that a
 * writer is using again.
 *
 * @throws StoreError STORE_READ_ONLY or STORE_UNREADABLE.
 */
export function prepareReading(folder: string, durable: boolean): void {
  const gate = gateFile(folder);
  onDisk(folder, 'STORE_READ_ONLY', () => {
    prepareFile(gate, emptyDatabase(STORE_GATE_BYTES_MAX), durable);
    prepareFile(gate + LOCK_SUFFIX, new Uint8Array(LOCK_BYTES), false);
  });
  prepareReaders(folder);
}

/**
 * Creates the table of readers of a file, also of one that has just replaced another. It touches no other file: closing
 * one ends this process's lock on it.
 */
export function prepareReaders(folder: string): void {
  const file = readersFile(folder);
  onDisk(folder, 'STORE_READ_ONLY', () => prepareFile(file, new Uint8Array(LOCK_BYTES), false));
}

/**
 * Creates a missing file with all its bytes. LMDB would end the process where the disk refuses that: it does not
 * survive an error in writing the first pages of a database, and leaves holes in the table of readers, to which it
 * writes by its memory map. The file appears whole and is never replaced: processes with different ones would not see
 * each other.
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

/** Reads a database file; a refusal becomes a StoreError. */
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

/** Runs file operations; a refusal becomes a StoreError, `unpermitted` where permission was lacking. */
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
