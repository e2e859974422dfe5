import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { messageOf } from '../protocol/index.ts';
import { DataFolderError } from './node-errors.ts';

/** The paths of a node's data. */
export type DataFolder = ReturnType<typeof dataFolderAt>;

export const FOLDER_MODE = 0o700;

/** Name of the file of settings in a data folder. */
export const SETTINGS_FILE = 'ledgerd.json';

export function dataFolderAt(path: string) {
  const absolute = resolve(path);
  return {
    /** Absolute path of the folder. */
    path: absolute,
    store: join(absolute, 'ledger'),
    /** Entries of the remote chain of a fork, in test mode: one has those of the chain, a reset fills the other one. */
    forks: [join(absolute, 'fork'), join(absolute, 'fork-other')] as const,
    wallet: join(absolute, 'wallet.json'),
    /** File of the created Ethereum keys, in test mode. */
    ethereumKeys: join(absolute, 'ethereum-keys.json'),
    /** File of the times and the gas limit of the next blocks, in test mode. */
    control: join(absolute, 'control.json'),
    /** File of the impersonated addresses, in test mode. */
    impersonation: join(absolute, 'impersonation.json'),
    genesis: join(absolute, 'genesis.json'),
    keys: join(absolute, 'keys'),
  };
}

/** Returns true if something is at a path of a data folder. @throws DataFolderError if the system does not tell */
export function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (cause) {
    throw unreadableFolder(cause);
  }
}

/** Creates the error for a data folder that the system does not let this process read. */
export function unreadableFolder(cause: unknown): DataFolderError {
  return new DataFolderError('unusable', `the data folder cannot be read: ${messageOf(cause)}`, { cause });
}

/** Creates the folder of a node's data with its parents. @throws DataFolderError if it cannot be created or written */
export function openDataFolder(path: string): DataFolder {
  const folder = dataFolderAt(path);
  try {
    createFolder(folder.path);
    accessSync(folder.path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const message = `the data folder ${folder.path} cannot be used: ${messageOf(cause)}`;
    throw new DataFolderError('unusable', message, { cause });
  }
  return folder;
}

/** Creates a folder and missing parents one by one: the recursive `mkdir` of Node.js never returns below `/proc`. */
function createFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const above = dirname(path);
  if (above !== path) createFolder(above);
  mkdirSync(path, FOLDER_MODE);
}
