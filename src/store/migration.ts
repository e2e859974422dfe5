import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { flush } from '../durable-files.ts';
import { messageOf } from '../protocol/index.ts';
import { StoreError } from './errors.ts';
import { CommitSize } from './file/commit-size.ts';
import { databaseFile, prepareFolder, prepareReaders } from './file/database-file.ts';
import { type FileFormat, formatRecord } from './file/file-format.ts';
import { openRoot, openTables } from './file/opened-file.ts';
import { SpaceReserve } from './file/space-reserve.ts';
import type { OperationIndexing } from './operations.ts';
import { putInPlace } from './replace-store.ts';
import type { Migration } from './store-options.ts';
import { FORMAT_VERSION, META_KEY_BYTES, TABLE_NAMES } from './tables/tables.ts';
import { indexStored } from './writing/index-stored.ts';

/** Bytes that are copied at a time of a store that is to get another format (8 MiB). */
const STORE_COPY_PIECE_BYTES = 8 * 1024 * 1024;

/** Bytes of LMDB's description of a table. */
const TABLE_ENTRY_BYTES = 64;

/** Returns the folder that keeps the former store. */
function folderBefore(folder: string): string {
  return `${folder}.before-format-${FORMAT_VERSION}`;
}

/** Returns the folder in which the new store is made. */
function draftOf(folder: string): string {
  return `${folder}.to-format-${FORMAT_VERSION}`;
}

/** Removes what an interrupted migration has left. */
export function removeDraft(folder: string): void {
  rmSync(draftOf(folder), { recursive: true, force: true });
}

/**
 * Migrates a database file of an earlier format: a copy is converted and replaces it in one step; the former file is
 * kept in a folder beside. What an interrupted attempt left behind is replaced. To be called while nobody else opens
 * the file or writes to it.
 *
 * @returns the report for when the file is open
 * @throws StoreError STORE_MIGRATION_FAILED; then the file is unchanged
 */
export function migrate(
  file: string,
  { version, history }: FileFormat,
  indexing: OperationIndexing | undefined,
  onProgress: (migration: Migration) => void,
): Migration {
  const folder = dirname(file);
  const [keptIn, draft] = [folderBefore(folder), draftOf(folder)];
  const from = { from: version, to: FORMAT_VERSION, keptIn, isDone: false };
  try {
    mkdirSync(keptIn, { recursive: true });
    removeDraft(folder);
    mkdirSync(draft);
    const copy = databaseFile(draft);
    copyFile(file, copy, (bytes, totalBytes) => onProgress({ ...from, bytes, totalBytes }));
    const { size } = statSync(copy);
    const copied = { ...from, bytes: size, totalBytes: size };
    prepareFolder(draft, true);
    convert(copy, history, indexing, (indexedBlock) => onProgress({ ...copied, indexedBlock }));
    for (const path of [copy, draft]) flush(path);
    rmSync(databaseFile(keptIn), { force: true });
    putInPlace(folder, { by: draft, keptIn });
    prepareReaders(folder);
    for (const path of [keptIn, dirname(keptIn)]) flush(path);
    removeDraft(folder);
    return { ...copied, isDone: true };
  } catch (cause) {
    removeDraft(folder);
    const reason = `${file} has format ${version}, and a copy of it is needed that gets format ${FORMAT_VERSION}`;
    const message = `${reason}, which can't be made in ${draft}: ${messageOf(cause)}`;
    throw new StoreError('STORE_MIGRATION_FAILED', message, { cause });
  }
}

/** Adds the tables and entries that a file's format lacks, and then the new format. */
function convert(
  file: string,
  history: boolean,
  indexing: OperationIndexing | undefined,
  onBlock: (number: number) => void,
): void {
  if (indexing === undefined) {
    const reason = 'nobody tells what its operations have to do with addresses';
    throw new StoreError('STORE_MIGRATION_FAILED', reason);
  }
  const reserve = new SpaceReserve(file);
  try {
    const root = openRoot({ file, durable: true, readOnly: false });
    try {
      const size = new CommitSize();
      size.scattered(TABLE_NAMES.length, TABLE_ENTRY_BYTES);
      reserve.require(size);
      const tables = root.transactionSync(() => openTables(root));
      indexStored({ root, tables, reserve, history, indexing }, onBlock);
      reserve.require(size);
      root.transactionSync(() => tables.get('meta')?.putSync(META_KEY_BYTES.format, formatRecord()));
    } finally {
      // All writes were synchronous, so that the file is closed when this returns.
      void root.close();
    }
  } finally {
    reserve.close();
  }
}

/** Lets the file system share the bytes, where it can. */
function copyFile(file: string, copy: string, report: (done: number, total: number) => void): void {
  try {
    copyFileSync(file, copy, constants.COPYFILE_FICLONE_FORCE);
  } catch {
    // Most can't: their bytes are copied.
    rmSync(copy, { force: true });
    copyInPieces(file, copy, report);
  }
}

function copyInPieces(file: string, copy: string, report: (done: number, total: number) => void): void {
  const source = openSync(file, 'r');
  const target = openSync(copy, 'wx');
  try {
    const { size } = fstatSync(source);
    const piece = new Uint8Array(Math.min(STORE_COPY_PIECE_BYTES, size));
    for (let done = 0; done < size; ) {
      const read = readSync(source, piece, 0, piece.length, done);
      if (read === 0) throw new StoreError('STORE_UNREADABLE', `it ends after ${done} of ${size} bytes`);
      for (let written = 0; written < read; ) {
        written += writeSync(target, piece, written, read - written, done + written);
      }
      done += read;
      report(done, size);
    }
  } finally {
    closeSync(source);
    closeSync(target);
  }
}
