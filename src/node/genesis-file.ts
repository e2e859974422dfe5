import { readdirSync } from 'node:fs';
import { readTextFile } from '../files/bounded-file.ts';
import { publishFile } from '../files/durable-files.ts';
import { chainIdOf, formatGenesis, type Genesis, parseGenesis } from '../ledger/index.ts';
import { equalBytes, messageOf } from '../protocol/index.ts';
import { type DataFolder, isThere, unreadableFolder } from './data-folder.ts';
import { DataFolderError, GenesisFileError } from './node-errors.ts';
import { shellWord } from './shell-word.ts';

/** Bytes of a genesis file (256 MiB). */
const GENESIS_FILE_BYTES_MAX = 256 * 1024 * 1024;

/** Mode of a genesis file, which has no secrets. */
export const GENESIS_FILE_MODE = 0o644;

/**
 * Finds the genesis of a persistent node: the named file, else that of the folder. If both exist, they must be of one
 * chain. @throws DataFolderError notInitialized or testChain without a genesis, GenesisFileError
 */
export function findGenesis(folder: DataFolder, named: string | undefined): Genesis {
  const own = isThere(folder.genesis) ? readGenesisFile(folder.genesis) : undefined;
  if (named === undefined) {
    if (own === undefined) throw missingGenesis(folder);
    return own;
  }
  const genesis = readGenesisFile(named);
  if (own !== undefined && !equalBytes(chainIdOf(own), chainIdOf(genesis))) {
    throw new GenesisFileError(`${named} is the genesis of another chain than ${folder.genesis}`);
  }
  return own ?? genesis;
}

/** Writes a genesis file into a folder without one. */
export function storeGenesis(folder: DataFolder, genesis: Genesis): void {
  if (!isThere(folder.genesis)) publishFile(folder.genesis, formatGenesis(genesis), GENESIS_FILE_MODE);
}

/** Reads a genesis file. @throws GenesisFileError if it is unreadable or invalid, with the position of the error */
export function readGenesisFile(path: string): Genesis {
  const refuse = (reason: string, cause?: unknown) =>
    new GenesisFileError(`the genesis file ${path} cannot be read: ${reason}`, { cause });
  const text = readTextFile(path, GENESIS_FILE_BYTES_MAX, refuse);
  try {
    return parseGenesis(text);
  } catch (cause) {
    throw new GenesisFileError(`the genesis file ${path} is no genesis: ${messageOf(cause)}`, { cause });
  }
}

/** Returns true if a folder has a store. @throws DataFolderError if it cannot be read */
export function hasChain({ store }: DataFolder): boolean {
  if (!isThere(store)) return false;
  try {
    return readdirSync(store).length > 0;
  } catch (cause) {
    throw unreadableFolder(cause);
  }
}

function missingGenesis(folder: DataFolder): DataFolderError {
  const { path } = folder;
  if (hasChain(folder)) {
    return new DataFolderError(
      'testChain',
      `the data folder ${path} has a chain without a genesis file: start it in test mode with --test, or name its ` +
        'genesis file with --genesis',
    );
  }
  return new DataFolderError(
    'notInitialized',
    `the data folder ${path} has no chain and no genesis: create a new chain by "ledgerd init --data-dir ` +
      `${shellWord(path)}", name the genesis file of an existing one with --genesis, or start test mode with --test`,
  );
}
