import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Genesis } from '../../ledger/index.ts';
import { KEY_FILES_MAX } from '../../limits.ts';
import { messageOf } from '../../protocol/index.ts';
import type { DataFolder } from '../data-folder.ts';
import { KeyFileError } from '../errors.ts';
import { type AccountKey, octal, readKeyFile } from './key-file.ts';

const OTHERS_WRITE = 0o022;

/** A key and the path of its file. */
export interface StoredKey extends AccountKey {
  readonly path: string;
}

/** The keys of a node by their use. */
export interface HeldKeys {
  /** Keys of producers of the genesis, which sign blocks. */
  readonly producers: readonly StoredKey[];
  /** Keys of the registrar, which sign registrations. */
  readonly registrars: readonly StoredKey[];
  /** Keys that the node has no use for. */
  readonly unused: readonly Omit<StoredKey, 'keys'>[];
}

/** Loads the keys of a node; none where there is no folder of keys. @throws KeyFileError */
export function loadKeys(folder: DataFolder, named: string | undefined, genesis: Genesis): HeldKeys {
  const stored = readKeyFolder(named ?? folder.keys);
  if (stored === undefined && named !== undefined) {
    throw new KeyFileError(`there is no folder of keys at ${named}`);
  }
  const keys = stored ?? [];
  const produces = ({ account }: StoredKey): boolean => genesis.producers.includes(account);
  const registers = ({ account }: StoredKey): boolean => account === genesis.registrar;
  return {
    producers: keys.filter(produces),
    registrars: keys.filter(registers),
    unused: keys
      .filter((key) => !produces(key) && !registers(key))
      .map(({ account, name, path }) => ({ account, name, path })),
  };
}

/**
 * Reads the key files of a folder, those with the extension `.json`, by name; undefined without a folder.
 * @throws KeyFileError when the folder or one of the files cannot be used
 */
export function readKeyFolder(path: string): StoredKey[] | undefined {
  const names = listFolder(path);
  return names
    ?.filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ ...readKeyFile(join(path, name)), path: join(path, name) }));
}

function listFolder(path: string): string[] | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    // Windows has no such bits.
    if (process.platform !== 'win32' && (stats.mode & OTHERS_WRITE) !== 0) {
      throw new KeyFileError(
        `others than its owner can write to the folder of keys ${path} (mode ${octal(stats.mode)}): chmod 700`,
      );
    }
    const names = readdirSync(path);
    if (names.length <= KEY_FILES_MAX) return names;
    throw new KeyFileError(
      `the folder of keys ${path} holds ${names.length} files, more than ${KEY_FILES_MAX}`,
    );
  } catch (cause) {
    if (cause instanceof KeyFileError) throw cause;
    throw new KeyFileError(`the folder of keys ${path} cannot be read: ${messageOf(cause)}`, { cause });
  }
}
