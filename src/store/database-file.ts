import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { STORE_READERS_MAX } from '../limits.ts';
import { StoreError, type StoreErrorCode } from './errors.ts';
import { PageFile } from './page-file.ts';

/** Name of the database file in the folder of a store. */
const FILE_NAME = 'ledger.mdb';
/** Name of the file by which processes keep out of each other's way. */
const GATE_NAME = 'gate.mdb';
/** What LMDB adds to a file's name for its table of readers. */
const LOCK_SUFFIX = '-lock';
/** Bytes of such a table: no fewer than LMDB uses for its beginning, and then those of each reader. */
const LOCK_BYTES = 4_096 + STORE_READERS_MAX * 64;
/** More than what LMDB writes at first to new files. */
const FIRST_BYTES = 65_536;

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
  // What belongs to a store has these names at its beginning, and may be there before the database file is.
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
export function prepareFolder(folder: string): void {
  onDisk(folder, 'STORE_READ_ONLY', () => {
    mkdirSync(folder, { recursive: true });
    closeSync(openSync(databaseFile(folder), 'a+'));
  });
  prepareReading(folder);
}

/**
 * Makes sure that the files can be written to in which readers take note of what they read: where LMDB can't, it
 * reads unnoticed, and sees pages that a writer is using again.
 *
 * @throws StoreError STORE_READ_ONLY or STORE_UNREADABLE.
 */
export function prepareReading(folder: string): void {
  onDisk(folder, 'STORE_READ_ONLY', () => {
    closeSync(openSync(gateFile(folder), 'a+'));
    for (const file of [readersFile(folder), gateFile(folder) + LOCK_SUFFIX]) prepareReaders(file);
    requireRoom(folder);
  });
}

/**
 * Makes a table of readers where it is missing, with all its bytes: LMDB would leave holes in it and write to them
 * by its memory map, which ends the process when the disk is full. The table appears whole and is never replaced,
 * because processes that had different ones would not see each other.
 */
function prepareReaders(file: string): void {
  if (existsSync(file)) {
    closeSync(openSync(file, 'r+'));
    return;
  }
  const draft = `${file}-${process.pid}`;
  try {
    writeFileSync(draft, new Uint8Array(LOCK_BYTES));
    linkSync(draft, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Makes sure that LMDB can write the first pages of files that are empty yet: it ends the process when it can't. */
function requireRoom(folder: string): void {
  if ([gateFile(folder), databaseFile(folder)].every((file) => statSync(file).size > 0)) return;
  const draft = `${gateFile(folder)}-${process.pid}`;
  try {
    writeFileSync(draft, new Uint8Array(FIRST_BYTES));
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Waits until the names of a new folder's files, and its own one, are on the disk. */
export function flushNames(folder: string): void {
  // Folders can't be opened there, and there is no other way.
  if (process.platform === 'win32') return;
  for (const path of [folder, dirname(folder)]) {
    const descriptor = openSync(path, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }
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
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    const code = ['EROFS', 'EACCES', 'EPERM'].includes(reason) ? unpermitted : 'STORE_UNREADABLE';
    throw new StoreError(code, `the store in ${path} can't be opened (${reason})`, { cause: error });
  }
}
