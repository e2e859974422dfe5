import { constants, copyFileSync, linkSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { flush } from '../durable-files.ts';
import { messageOf } from '../protocol/index.ts';
import { StoreError } from './errors.ts';
import { databaseFile, readersFile } from './file/database-file.ts';
import { Gate } from './file/gate.ts';
import { OpenedFile } from './file/opened-file.ts';

/** Which store takes the place of another one, and what becomes of that. */
export interface Replacement {
  /** Folder of the store that takes the place, on the same file system; it is gone afterwards. */
  readonly by: string;
  /** Folder to be made for the former store; without it that one is given up. */
  readonly keptIn: string | undefined;
}

/**
 * Puts one store in the place of another, in one step: whatever happens, the folder holds one of them. Processes that
 * read the former one go on reading it. Neither store may be open in this process, nor be written to by any.
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
    throw new StoreError(
      'STORE_REPLACE_FAILED',
      `the store in ${folder} can't be replaced: ${messageOf(cause)}`,
      {
        cause,
      },
    );
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

/** The step itself, for who keeps others from opening either store meanwhile. */
export function putInPlace(folder: string, { by, keptIn }: Replacement): void {
  if (keptIn !== undefined) keep(databaseFile(folder), databaseFile(keptIn));
  renameSync(databaseFile(by), databaseFile(folder));
  // Whoever opens the file from now on must not join those who read the former one.
  rmSync(readersFile(folder), { force: true });
  flush(folder);
}

/** Gives the file a second name, so that the first one may be taken; a copy where names can't be given. */
function keep(file: string, second: string): void {
  try {
    linkSync(file, second);
  } catch {
    copyFileSync(file, second, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    flush(second);
  }
}
