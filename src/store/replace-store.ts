import { constants, copyFileSync, linkSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { flush } from '../durable-files.ts';
import { messageOf } from '../protocol/index.ts';
import { StoreError } from './errors.ts';
import { databaseFile, readersFile } from './file/database-file.ts';
import { Gate } from './file/gate.ts';
import { OpenedFile } from './file/opened-file.ts';

/** The replacement of a store. */
export interface Replacement {
  /** Folder of the new store, on the same file system; it is gone afterwards. */
  readonly by: string;
  /** Folder to create for the former store; undefined: it is dropped. */
  readonly keptIn: string | undefined;
}

/**
 * Replaces a store in one step: whatever happens, the folder holds one of the two. Processes that read the former one
 * continue to. Neither store may be open in this process, nor be written to by any.
 *
 * @throws StoreError STORE_IN_USE, STORE_REPLACE_FAILED; then the folder holds what it held before
 */
export async function replaceStore(folder: string, { by, keptIn }: Replacement): Promise<void> {
  for (const path of [folder, by]) OpenedFile.assertUnused(databaseFile(realpathSync(path)));
  try {
    if (keptIn !== undefined) mkdirSync(keptIn);
    await exchange(folder, by, keptIn);
    rmSync(by, { recursive: true, force: true });
    flush(dirname(folder));
  } catch (cause) {
    const reason = `the store in ${folder} can't be replaced: ${messageOf(cause)}`;
    throw new StoreError('STORE_REPLACE_FAILED', reason, { cause });
  }
}

async function exchange(folder: string, by: string, keptIn: string | undefined): Promise<void> {
  const gate = new Gate(folder);
  try {
    gate.pass(() => putInPlace(folder, { by, keptIn }));
  } finally {
    await gate.close();
  }
  if (keptIn !== undefined) flush(keptIn);
}

/** Does the step itself, while the caller keeps others from opening either store. */
export function putInPlace(folder: string, { by, keptIn }: Replacement): void {
  if (keptIn !== undefined) keep(databaseFile(folder), databaseFile(keptIn));
  renameSync(databaseFile(by), databaseFile(folder));
  // Readers of the new file must not share the table of those of the former one.
  rmSync(readersFile(folder), { force: true });
  flush(folder);
}

/** Gives the file a second name; copies it where the file system has no links. */
function keep(file: string, second: string): void {
  try {
    linkSync(file, second);
  } catch {
    copyFileSync(file, second, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    flush(second);
  }
}
