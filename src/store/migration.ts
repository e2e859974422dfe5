import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { STORE_COPY_PIECE_BYTES } from '../limits.ts';
import { messageOf, StoreError } from './errors.ts';
import { CommitSize, SpaceReserve } from './file/index.ts';
import type { Migration } from './store.ts';
import { FORMAT_VERSION, TABLE_NAMES } from './tables/index.ts';

/** No entry of a table of tables has a longer name, or a longer description. */
const ROW_BYTES = 64;

/** Where the store of a folder is kept as it was before it was migrated. */
function folderBefore(folder: string): string {
  return `${folder}.before-format-${FORMAT_VERSION}`;
}

/**
 * Copies a database file of an earlier format to a folder beside its own, before the file is changed. The copy has its
 * name when it is whole; one of an attempt that was cut off is replaced. To be called while nobody writes to the file.
 *
 * @returns what there is to tell once the migration is done
 * @throws StoreError STORE_MIGRATION_FAILED; then the file is as it was
 */
export function keepFormer(
  file: string,
  from: number,
  onProgress: (migration: Migration) => void = () => undefined,
): Migration {
  const keptIn = folderBefore(dirname(file));
  const copy = join(keptIn, basename(file));
  const partial = `${copy}.partial`;
  const at = (bytes: number, totalBytes: number): Migration => {
    return { from, to: FORMAT_VERSION, keptIn, bytes, totalBytes, isDone: false };
  };
  try {
    mkdirSync(keptIn, { recursive: true });
    rmSync(partial, { force: true });
    if (!copyAtOnce(file, partial))
      copyInPieces(file, partial, (bytes, total) => onProgress(at(bytes, total)));
    flush(partial);
    renameSync(partial, copy);
    for (const folder of [keptIn, dirname(keptIn)]) flush(folder);
    makeRoom(file);
    const { size } = statSync(copy);
    return { ...at(size, size), isDone: true };
  } catch (cause) {
    removeIfThere(partial);
    const reason = `${file} has format ${from}, and a copy of it is needed before it gets format ${FORMAT_VERSION}`;
    const message = `${reason}, which can't be made in ${keptIn}: ${messageOf(cause)}`;
    throw new StoreError('STORE_MIGRATION_FAILED', message, { cause });
  }
}

/** The next attempt replaces it where that fails. */
function removeIfThere(path: string): void {
  if (existsSync(path)) rmSync(path, { force: true });
}

/** Takes the room for the tables of the new format, so that a full disk is met before anything is changed. */
function makeRoom(file: string): void {
  const size = new CommitSize(TABLE_NAMES.length);
  size.scattered(TABLE_NAMES.length, ROW_BYTES, ROW_BYTES);
  const reserve = new SpaceReserve(file);
  try {
    reserve.require(size);
  } finally {
    reserve.close();
  }
}

/** Lets the file system share the bytes, where it can. Returns whether it did. */
function copyAtOnce(file: string, copy: string): boolean {
  try {
    copyFileSync(file, copy, constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    // Most can't: their bytes are copied.
    rmSync(copy, { force: true });
    return false;
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
      if (read === 0) throw cutOff(done, size);
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

function cutOff(done: number, size: number): StoreError {
  return new StoreError('STORE_UNREADABLE', `it ends after ${done} of ${size} bytes`);
}

/** Waits until a file, or the names in a folder, are on the disk. */
function flush(path: string): void {
  // Folders can't be opened there, and there is no other way.
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
