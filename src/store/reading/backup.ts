import { existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { messageOf } from '../../protocol/index.ts';
import type { Database } from '../file/database.ts';
import { databaseFile, requireComplete } from '../file/database-file.ts';
import type { BackupProgress } from '../store.ts';
import { StoreError } from '../store-error.ts';

/** Milliseconds between two reports of progress. */
const STORE_BACKUP_PROGRESS_MS = 200;

/** Copies a store into a new folder. @throws StoreError STORE_TARGET_EXISTS, STORE_BACKUP_FAILED */
export async function backUp(
  database: Database,
  target: string,
  onProgress: (progress: BackupProgress) => void = () => undefined,
): Promise<void> {
  const folder = resolve(target);
  if (existsSync(folder)) throw new StoreError('STORE_TARGET_EXISTS', `${folder} exists already`);
  let partial: string | undefined;
  try {
    // On the same file system as the target, to which it is renamed.
    partial = mkdtempSync(`${folder}.partial-`);
    await copyWithProgress(database, databaseFile(partial), onProgress);
    requireComplete(databaseFile(partial));
    for (const path of [databaseFile(partial), partial]) await flush(path);
    renameSync(partial, folder);
    await flush(dirname(folder));
  } catch (error) {
    if (partial !== undefined) rmSync(partial, { recursive: true, force: true });
    if (error instanceof StoreError) throw error;
    throw new StoreError('STORE_BACKUP_FAILED', `the copy to ${folder} failed: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function copyWithProgress(
  database: Database,
  file: string,
  onProgress: (progress: BackupProgress) => void,
): Promise<void> {
  const timer = setInterval(() => {
    onProgress({ bytes: sizeOf(file), totalBytes: sizeOf(database.file) });
  }, STORE_BACKUP_PROGRESS_MS);
  try {
    await database.copy(file);
  } finally {
    clearInterval(timer);
  }
  onProgress({ bytes: sizeOf(file), totalBytes: sizeOf(file) });
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Flushes a file or a folder to the disk, without blocking the event loop. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
