import {
  constants,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { flush } from '../../files/durable-files.ts';
import type { StateReport } from '../../ledger/index.ts';
import { messageOf } from '../../protocol/index.ts';
import { closeAfter } from '../closers.ts';
import { type DataFolder, dataFolderAt, isThere, SETTINGS_FILE } from '../data-folder.ts';
import { MaintenanceError } from '../node-errors.ts';
import { type JobControl, openStoredChain, type StoredChain } from '../stored-chain.ts';
import { checkState } from './verify.ts';

/** The bits of a file's mode for its permissions. */
const PERMISSIONS = 0o777;

export interface BackupOptions {
  readonly dataDir: string;
  /** Folder to create. An existing one must be empty. */
  readonly to: string;
  /** True to copy the keys: those of the node, and in test mode those of the wallet. */
  readonly withKeys: boolean;
}

/**
 * Copies a snapshot of the chain of a data folder, with the files that a node needs to start on it, and checks the
 * newest state of the copy. A node may run meanwhile. The new folder appears when it is complete.
 *
 * @throws MaintenanceError if the new folder exists or cannot be created, DataFolderError, StoreError,
 * ChainDamagedError
 */
export async function backUpFolder(options: BackupOptions, job: JobControl) {
  const target = resolve(options.to);
  requireFree(target);
  return closeAfter(async (closers) => {
    const chain = openStoredChain(options.dataDir, closers);
    const partial = makePartial(target);
    // After the rename it no longer exists.
    closers.add(() => rmSync(partial, { recursive: true, force: true }));
    const copy = dataFolderAt(partial);
    // The keys first: the record of signed blocks must not be ahead of the copied chain.
    const leftOut = copyFiles(chain, copy, options.withKeys);
    await chain.store.backup(copy.store, ({ bytes, totalBytes }) =>
      job.onProgress('bytes', bytes, totalBytes),
    );
    await chain.fork?.store.backup(copy.forks[0]);
    const state = await checkCopy(copy, job);
    flush(partial);
    renameSync(partial, target);
    flush(dirname(target));
    return { ...state, path: target, leftOut };
  });
}

function requireFree(target: string): void {
  const found = statSync(target, { throwIfNoEntry: false });
  if (found === undefined || (found.isDirectory() && readdirSync(target).length === 0)) return;
  throw new MaintenanceError(`${target} exists already: name a new folder`);
}

/** Creates a temporary folder on the disk of the target, to which it is renamed. */
function makePartial(target: string): string {
  try {
    return mkdtempSync(`${target}.partial-`);
  } catch (cause) {
    throw new MaintenanceError(`${target} cannot be created: ${messageOf(cause)}`, { cause });
  }
}

/** Copies the other files of a data folder. Returns the names of omitted secret ones. */
function copyFiles({ folder, kind }: StoredChain, copy: DataFolder, withKeys: boolean): string[] {
  const leftOut: string[] = [];
  const beside = [
    { from: folder.genesis, to: copy.genesis, isSecret: false },
    // In test mode it may have the text from which all keys are derived.
    { from: join(folder.path, SETTINGS_FILE), to: join(copy.path, SETTINGS_FILE), isSecret: kind === 'test' },
    { from: folder.control, to: copy.control, isSecret: false },
    { from: folder.keys, to: copy.keys, isSecret: true },
    { from: folder.wallet, to: copy.wallet, isSecret: true },
    { from: folder.ethereumKeys, to: copy.ethereumKeys, isSecret: true },
    { from: folder.impersonation, to: copy.impersonation, isSecret: false },
  ];
  for (const { from, to, isSecret } of beside) {
    if (!isThere(from)) continue;
    if (isSecret && !withKeys) leftOut.push(basename(from));
    else copyDurably(from, to);
  }
  return leftOut;
}

/** Copies a file, or a folder with its files, with their modes. */
function copyDurably(from: string, to: string): void {
  const stats = statSync(from);
  const mode = stats.mode & PERMISSIONS;
  if (stats.isDirectory()) {
    mkdirSync(to, mode);
    for (const name of readdirSync(from)) copyDurably(join(from, name), join(to, name));
    flush(to);
  } else if (stats.isFile()) {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    flush(to);
  }
}

function checkCopy(copy: DataFolder, job: JobControl): Promise<StateReport & { readonly bytes: number }> {
  return closeAfter(async (closers) => {
    const chain = openStoredChain(copy.path, closers);
    return { ...(await checkState(chain, job)), bytes: chain.store.statistics().fileBytes };
  });
}
