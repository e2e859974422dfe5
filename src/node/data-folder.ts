import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { messageOf } from '../protocol/index.ts';
import { DataFolderError } from './errors.ts';

/** The paths of a node's data. */
export type DataFolder = ReturnType<typeof dataFolderAt>;

export const FOLDER_MODE = 0o700;

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

/**
 * Reads a regular file as text.
 * @param refuse creates the error for another kind of file, or one that is too large, from the reason
 * @param check inspects the opened file before it is read, and may throw
 */
export function readTextFile(
  path: string,
  bytesMax: number,
  refuse: (reason: string) => Error,
  check?: (stats: Stats) => void,
): string {
  // Not blocking: the other end of a pipe may never open it.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw refuse('it is not a regular file');
    if (stats.size > bytesMax) throw refuse(`it has ${stats.size} bytes`);
    check?.(stats);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}
