import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DataFolderError } from './errors.ts';

/** Where a node keeps its data. */
export interface DataFolder {
  /** The folder itself, as an absolute path. */
  readonly path: string;
  /** Folder of the store. */
  readonly store: string;
  /** File of the wallet's created accounts. */
  readonly wallet: string;
}

/** Only the owner may look into a folder that holds keys. */
const FOLDER_MODE = 0o700;

/**
 * Makes sure of a folder for a node's data, creating it and those above it.
 * @throws DataFolderError when it cannot be created or written to
 */
export function openDataFolder(path: string): DataFolder {
  const absolute = resolve(path);
  try {
    createFolder(absolute);
    accessSync(absolute, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DataFolderError(`the data folder ${absolute} cannot be used: ${reason}`, { cause });
  }
  return { path: absolute, store: join(absolute, 'ledger'), wallet: join(absolute, 'wallet.json') };
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
