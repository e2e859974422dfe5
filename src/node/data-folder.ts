import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { messageOf } from '../protocol/index.ts';
import { DataFolderError } from './errors.ts';

/** Where a node keeps its data. */
export interface DataFolder {
  /** The folder itself, as an absolute path. */
  readonly path: string;
  /** Folder of the store. */
  readonly store: string;
  /** File of the wallet's created accounts, in test mode. */
  readonly wallet: string;
  /** File of the keys that were created for Ethereum's tools, in test mode. */
  readonly ethereumKeys: string;
  /** File of what was set for the next blocks, in test mode. */
  readonly control: string;
  /** File of the impersonated addresses, in test mode. */
  readonly impersonation: string;
  /** Genesis file of a persistent node. */
  readonly genesis: string;
  /** Folder of a persistent node's key files. */
  readonly keys: string;
}

/** Only the owner may look into a folder that holds keys. */
export const FOLDER_MODE = 0o700;

/** What lies where in a folder, whether or not it is there. */
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
 * Makes sure of a folder for a node's data, creating it and those above it.
 * @throws DataFolderError when it cannot be created or written to
 */
export function openDataFolder(path: string): DataFolder {
  const folder = dataFolderAt(path);
  try {
    createFolder(folder.path);
    accessSync(folder.path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new DataFolderError(
      'unusable',
      `the data folder ${folder.path} cannot be used: ${messageOf(cause)}`,
      {
        cause,
      },
    );
  }
  return folder;
}

/**
 * Creates a folder and those above it that are missing, one by one: the library's recursive way never returns
 * where the system says that a folder below an existing one does not exist (`/proc`).
 */
function createFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const above = dirname(path);
  if (above !== path) createFolder(above);
  mkdirSync(path, FOLDER_MODE);
}
