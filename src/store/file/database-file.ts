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
/** Name of the file by which processes keep out of each other's way. */
const GATE_NAME = 'gate.mdb';
/** LMDB adds it to a file's name for the lock file, which is its reader table. */
const LOCK_SUFFIX = '-lock';
/** Bytes of such a table: no fewer than LMDB uses for its beginning, and then those of each reader. */
const LOCK_BYTES = 4_096 + STORE_READERS_MAX * 64;

/** Path of the database file in the folder of a store. */
export function databaseFile(folder: string): string {
  return join(folder, FILE_NAME);
}

/** Path of LMDB's table of readers of the database file. */
export function readersFile(folder: string): string {
  return databaseFile(folder) + LOCK_SUFFIX;
}

/** Path of the gate's file in the folder of a store. */
export function gateFile(folder: string): string {
  return join(folder, GATE_NAME);
}

/**
 * Looks at the folder of a store without changing it.
 *
 * @returns whether it has a database file with something in it.
 * @throws StoreError STORE_FOREIGN when other files are there and ours is not, STORE_UNREADABLE when it can't
 *   be read or the file is not a database of LMDB.
 */
export function inspectFolder(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const names = onDisk(folder, 'STORE_UNREADABLE', () => readdirSync(folder));
  if (names.includes(FILE_NAME)) {
    return withFile(databaseFile(folder), (file) => file.bytes > 0 && file.state() !== undefined);
  }
  // The files of a store have names that begin so, and may be there before the database file is.
  if (names.some((name) => !name.startsWith(FILE_NAME) && !name.startsWith(GATE_NAME))) {
    throw new StoreError('STORE_FOREIGN', `the folder ${folder} holds other files and no ${FILE_NAME}`);
  }
  return false;
}

/**
 * Makes the folder and its files where they are missing, and makes sure that they can be written to: LMDB
 * brings the process down when it can't.
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
 * Makes sure that the files can be written to in which readers take note of what they read: where LMDB can't, it
 * reads unnoticed, and sees pages that a writer is using again.
 *
 * @throws StoreError STORE_READ_ONLY or STORE_UNREADABLE.
 */
export function prepareReading(folder: string, durable: boolean): void {
  const gate = gateFile(folder);
  onDisk(folder, 'STORE_READ_ONLY', () => {
    prepareFile(gate, emptyDatabase(STORE_GATE_BYTES_MAX), durable);
    for (const file of [readersFile(folder), gate + LOCK_SUFFIX]) {
      prepareFile(file, new Uint8Array(LOCK_BYTES), false);
    }
  });
}

/**
 * Makes the table of readers of a file that has just taken the place of another one, whose table is gone. No other file
 * may be touched then: what this process closes, it has no lock on any more.
 */
export function prepareReaders(folder: string): void {
  const file = readersFile(folder);
  onDisk(folder, 'STORE_READ_ONLY', () => prepareFile(file, new Uint8Array(LOCK_BYTES), false));
}

/**
 * Makes a file where it is missing, with all its bytes. LMDB would make it too, and end the process where the disk
 * refuses that: it does not survive an error in writing the first pages of a database, and leaves holes in the table of
 * readers, to which it writes by its memory map. The file appears whole and is never replaced, because processes that
 * had different ones would not see each other.
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

/** Waits until the names of a new folder's files, and its own one, are on the disk. */
export function flushNames(folder: string): void {
  for (const path of [folder, dirname(folder)]) flush(path);
}

/** Opens a database file for reading and closes it again; a refusal becomes a StoreError. */
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
