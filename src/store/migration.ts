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
import { CommitSize } from './file/commit-size.ts';
import { databaseFile, prepareFolder, prepareReaders } from './file/database-file.ts';
import { type FileFormat, formatRecord } from './file/file-format.ts';
import { openRoot, openTables, tableOf } from './file/opened-file.ts';
import { SpaceReserve } from './file/space-reserve.ts';
import type { OperationIndexing } from './operations.ts';
import { renameIntoPlace } from './replace-store.ts';
import { StoreError } from './store-error.ts';
import type { Migration } from './store-options.ts';
import { FORMAT_VERSION, META_KEY_BYTES, TABLE_NAMES } from './tables/tables.ts';
import { indexStored } from './writing/index-stored.ts';

/** Bytes of each step of the copy of a store (8 MiB). */
const STORE_COPY_PIECE_BYTES = 8 * 1024 * 1024;

/** Bytes of LMDB's description of a table. */
const TABLE_ENTRY_BYTES = 64;

/** Returns the folder in which a migration prepares the new store. */
function draftOf(folder: string): string {
  return `${folder}.to-format-${FORMAT_VERSION}`;
}

/** Removes the draft of an interrupted migration. */
export function removeDraft(folder: string): void {
  rmSync(draftOf(folder), { recursive: true, force: true });
}

/**
 * Migrates a database file of an earlier format: converts a copy, which then replaces the file atomically. Moves the
 * previous file to a folder next to it. Replaces the files of an interrupted attempt. No other process may open the
 * file or write to it meanwhile.
 *
 * @returns the report for `onMigration` after the file was opened
 * @throws StoreError STORE_MIGRATION_FAILED; the file is unchanged then
 */
export function migrate(
  file: string,
  { version, history }: FileFormat,
  indexing: OperationIndexing | undefined,
  onProgress: (migration: Migration) => void,
): Migration {
  const folder = dirname(file);
  const keptIn = `${folder}.before-format-${FORMAT_VERSION}`;
  const draft = draftOf(folder);
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
    renameIntoPlace(folder, { by: draft, keptIn });
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

/** Adds the missing tables and entries to a file, and then its new format. */
function convert(
  file: string,
  history: boolean,
  indexing: OperationIndexing | undefined,
  onBlock: (number: number) => void,
): void {
  if (indexing === undefined) {
    const reason = 'the index of operations by address needs the option `indexing`';
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
      root.transactionSync(() => tableOf(tables, 'meta').putSync(META_KEY_BYTES.format, formatRecord()));
    } finally {
      // Synchronous in effect, since all writes were synchronous.
      void root.close();
    }
  } finally {
    reserve.close();
  }
}

/** Copies a file, by a clone that shares its blocks if the file system supports that. */
function copyFile(file: string, copy: string, report: (done: number, total: number) => void): void {
  try {
    copyFileSync(file, copy, constants.COPYFILE_FICLONE_FORCE);
  } catch {
    // Most file systems have no clones.
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
