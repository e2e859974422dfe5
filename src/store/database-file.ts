import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { STORE_MISSING_PAGES_MAX } from '../limits.ts';
import { StoreError, type StoreErrorCode } from './errors.ts';

/** Name of the database file in the folder of a store. */
const FILE_NAME = 'ledger.mdb';
/** What LMDB adds to the database file's name for its table of readers. */
const LOCK_SUFFIX = '-lock';

/** First field of each of LMDB's two meta pages, and the version of LMDB's file format that follows it. */
const LMDB_MAGIC = 0xbeefc0de;
const LMDB_FORMAT = 2;
/** Offsets within a meta page: 24 bytes of page header come first. */
const MAGIC_OFFSET = 24;
const FORMAT_OFFSET = 28;
const PAGE_SIZE_OFFSET = 48;
const LAST_PAGE_OFFSET = 144;
const META_BYTES = 168;
/** The page sizes that LMDB takes are the powers of two in this range. */
const SMALLEST_PAGE_BYTES = 256;
const LARGEST_PAGE_BYTES = 65_536;

/** Path of the database file in the folder of a store. */
export function databaseFile(folder: string): string {
  return join(folder, FILE_NAME);
}

/**
 * Looks at the folder of a store without changing it.
 *
 * @returns whether it has a database file with something in it.
 * @throws StoreError STORE_FOREIGN when other files are there and ours is not, STORE_UNREADABLE when it can't
 *   be read or the file can't be opened without harm.
 */
export function inspectFolder(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const names = onDisk(folder, 'STORE_UNREADABLE', () => readdirSync(folder));
  if (names.includes(FILE_NAME)) return inspectFile(databaseFile(folder));
  if (names.some((name) => name !== FILE_NAME + LOCK_SUFFIX)) {
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
    closeSync(openSync(databaseFile(folder) + LOCK_SUFFIX, 'a+'));
  });
}

/** LMDB ends the process at a file that is not its own or is cut off, so that is found out here. */
function inspectFile(file: string): boolean {
  return onDisk(file, 'STORE_UNREADABLE', () => {
    const descriptor = openSync(file, 'r');
    try {
      const { size } = fstatSync(descriptor);
      if (size === 0) return false;
      const first = readMeta(descriptor, 0, file);
      const second = readMeta(descriptor, first.pageBytes, file);
      const pages = Math.min(first.lastPage, second.lastPage) + 1;
      const missing = pages - Math.floor(size / first.pageBytes);
      if (missing > STORE_MISSING_PAGES_MAX || missing > pages / 2) {
        throw new StoreError(
          'STORE_UNREADABLE',
          `${file} is cut off: ${missing} of its ${pages} pages are missing`,
        );
      }
      return true;
    } finally {
      closeSync(descriptor);
    }
  });
}

interface MetaPage {
  readonly pageBytes: number;
  readonly lastPage: number;
}

/** LMDB writes these fields in the machine's own byte order; those that Node.js runs on are little-endian. */
function readMeta(descriptor: number, offset: number, file: string): MetaPage {
  const page = Buffer.alloc(META_BYTES);
  const length = readSync(descriptor, page, 0, META_BYTES, offset);
  const pageBytes = page.readUInt32LE(PAGE_SIZE_OFFSET);
  const sound =
    length === META_BYTES &&
    page.readUInt32LE(MAGIC_OFFSET) === LMDB_MAGIC &&
    pageBytes >= SMALLEST_PAGE_BYTES &&
    pageBytes <= LARGEST_PAGE_BYTES &&
    Number.isInteger(Math.log2(pageBytes));
  if (!sound)
    throw new StoreError('STORE_UNREADABLE', `${file} is not a database, or its beginning is damaged`);
  const format = page.readUInt32LE(FORMAT_OFFSET);
  if (format !== LMDB_FORMAT) {
    throw new StoreError(
      'STORE_UNREADABLE',
      `${file} has version ${format} of LMDB's format, not ${LMDB_FORMAT}`,
    );
  }
  return { pageBytes, lastPage: Number(page.readBigUInt64LE(LAST_PAGE_OFFSET)) };
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
