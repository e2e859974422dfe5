import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { messageOf } from '../protocol/index.ts';
import { DataFolderError } from './errors.ts';

/** The paths of a node's data. */
export interface DataFolder {
  /** Absolute path of the folder. */
  readonly path: string;
  readonly store: string;
  readonly wallet: string;
  /** File of the created Ethereum keys, in test mode. */
  readonly ethereumKeys: string;
  /** File of the control over the next blocks, in test mode. */
  readonly control: string;
  /** File of the impersonated addresses, in test mode. */
  readonly impersonation: string;
  readonly genesis: string;
  readonly keys: string;
}

/** The mode of a folder that holds keys. */
export const FOLDER_MODE = 0o700;

/** Returns the paths in a folder. */
export function dataFolderAt(path: string): DataFolder {
  const absolute = resolve(path);
  return {
    path: absolute,
    store: join(absolute, 'ledger'),
    wallet: join(absolute, 'wallet.json'),
    ethereumKeys: join(absolute, 'ethereum-keys.json'),
    control: join(absolute, 'control.json'),
    impersonation: join(absolute, 'impersonation.json'),
    genesis: join(absolute, 'genesis.json'),
    keys: join(absolute, 'keys'),
  };
}

/**
 * Creates a folder for a node's data and those above it. @throws DataFolderError when it cannot be created or written
 * to
 */
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

/** Creates a folder and missing parents one by one: the recursive way of Node.js never returns below `/proc`. */
function createFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const above = dirname(path);
  if (above !== path) createFolder(above);
  mkdirSync(path, FOLDER_MODE);
}
