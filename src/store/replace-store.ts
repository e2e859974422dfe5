import { constants, copyFileSync, linkSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { flush } from '../files/durable-files.ts';
import { messageOf } from '../protocol/index.ts';
import { databaseFile, readersFile } from './file/database-file.ts';
import { Gate } from './file/gate.ts';
import { OpenedFile } from './file/opened-file.ts';
import { StoreError } from './store-error.ts';

export interface Replacement {
  /** Folder of the new store, on the same file system. It is removed. */
  readonly by: string;
  /** Folder to create for the previous store; undefined: the previous store is deleted. */
  readonly keptIn: string | undefined;
}

/**
 * Replaces a store atomically: after a crash the folder has one of the two. Processes that read the previous store
 * continue to read it. Neither store may be open in this process, and no process may write to them.
 *
 * @throws StoreError STORE_IN_USE, STORE_REPLACE_FAILED; the folder is unchanged then
 */
export async function replaceStore(folder: string, { by, keptIn }: Replacement): Promise<void> {
  for (const path of [folder, by]) OpenedFile.assertUnused(databaseFile(realpathSync(path)));
  try {
    if (keptIn !== undefined) mkdirSync(keptIn);
    const gate = new Gate(folder);
    try {
      gate.runExclusive(() => renameIntoPlace(folder, { by, keptIn }));
    } finally {
      await gate.close();
    }
    if (keptIn !== undefined) flush(keptIn);
    rmSync(by, { recursive: true, force: true });
    flush(dirname(folder));
  } catch (cause) {
    const reason = `the store in ${folder} can't be replaced: ${messageOf(cause)}`;
    throw new StoreError('STORE_REPLACE_FAILED', reason, { cause });
  }
}

/** Renames the new file over the previous one. The caller excludes other processes that open either store. */
function renameIntoPlace(folder: string, { by, keptIn }: Replacement): void {
  if (keptIn !== undefined) linkOrCopy(databaseFile(folder), databaseFile(keptIn));
  renameSync(databaseFile(by), databaseFile(folder));
  // Readers of the new file must not share the table of readers of the previous one.
  rmSync(readersFile(folder), { force: true });
  flush(folder);
}

/** Gives the file a second name, or copies it on a file system without links. */
function linkOrCopy(file: string, second: string): void {
  try {
    linkSync(file, second);
  } catch {
    copyFileSync(file, second, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    flush(second);
  }
}
