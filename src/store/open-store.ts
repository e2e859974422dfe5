import { realpathSync } from 'node:fs';
import { equalBytes, invariant } from '../protocol/index.ts';
import {
  BINARY,
  Database,
  type DatabaseRoot,
  messageOf,
  type OpenOptions,
  openRoot,
  openTables,
} from './database.ts';
import { databaseFile, inspectFolder, prepareFolder } from './database-file.ts';
import { StoreError } from './errors.ts';
import { LmdbStore } from './lmdb-store.ts';
import { readUint32, writeUint32 } from './record-keys.ts';
import type { Store, StoreOptions } from './store.ts';
import { databaseName, FORMAT_VERSION, META_KEYS } from './tables.ts';
import { createTemporaryFolder, removeTemporaryFolder } from './temporary-folder.ts';

const text = new TextEncoder();

/**
 * Opens the store of a folder, or of a new temporary folder. A missing or empty folder becomes a new store; a
 * file that is refused stays as it is, though LMDB's table of readers may appear beside it.
 *
 * @throws StoreError STORE_FOREIGN, STORE_NEWER_FORMAT, STORE_OLDER_FORMAT, STORE_UNREADABLE,
 *   STORE_READ_ONLY or STORE_HISTORY_DIFFERS.
 */
export function openStore(options: StoreOptions): Store {
  if (options.path !== undefined) return openFolder(options.path, options);
  const folder = createTemporaryFolder();
  try {
    return openFolder(folder, options, folder);
  } catch (error) {
    removeTemporaryFolder(folder);
    throw error;
  }
}

function openFolder(folder: string, options: StoreOptions, temporaryFolder?: string): Store {
  const filled = inspectFolder(folder);
  prepareFolder(folder);
  const path = realpathSync(folder);
  const existing = filled ? inspectDatabase(databaseFile(path)) : undefined;
  const history = existing ?? options.history ?? true;
  if (options.history !== undefined && options.history !== history) {
    const kept = history ? 'keeps' : 'does not keep';
    throw new StoreError(
      'STORE_HISTORY_DIFFERS',
      `the store in ${folder} ${kept} history, which can't be changed after its creation`,
    );
  }
  const openOptions = { file: databaseFile(path), durable: options.durable, readOnly: false };
  const root = opening(openOptions.file, () => openRoot(openOptions));
  const database = opening(openOptions.file, () =>
    openDatabase(openOptions, root, history, existing === undefined),
  );
  return new LmdbStore({ path, history, database, temporaryFolder });
}

/**
 * Looks at a database without writing to it.
 *
 * @returns whether it keeps history; `undefined` for one that has no tables yet.
 */
function inspectDatabase(file: string): boolean | undefined {
  const root = opening(file, () => openRoot({ file, durable: true, readOnly: true }));
  try {
    return opening(file, () => readHistory(root, file));
  } finally {
    // Nothing is written, so that the file is closed when this returns.
    void root.close();
  }
}

function readHistory(root: DatabaseRoot, file: string): boolean | undefined {
  if (root.getKeysCount({ limit: 1 }) === 0) return undefined;
  // The library's types promise a table; a missing one is undefined where nothing may be created.
  const meta = hasTable(root, databaseName('meta'))
    ? root.openDB<Uint8Array, Uint8Array>(databaseName('meta'), BINARY)
    : undefined;
  const format = meta?.get(text.encode(META_KEYS.format));
  if (meta === undefined || format === undefined) {
    throw new StoreError('STORE_FOREIGN', `${file} is a database of another program`);
  }
  const version = readUint32(format, 0);
  if (version > FORMAT_VERSION) {
    throw new StoreError(
      'STORE_NEWER_FORMAT',
      `${file} has format ${version}; this version of the program knows formats up to ${FORMAT_VERSION}`,
    );
  }
  if (version < FORMAT_VERSION) {
    throw new StoreError(
      'STORE_OLDER_FORMAT',
      `${file} has format ${version}; this version of the program reads format ${FORMAT_VERSION} only`,
    );
  }
  return equalBytes(meta.get(text.encode(META_KEYS.history)) ?? new Uint8Array(), Uint8Array.of(1));
}

/** The root holds the names of the tables, each with a zero byte at its end. */
function hasTable(root: DatabaseRoot, name: string): boolean {
  for (const key of root.getKeys()) if (equalBytes(key, text.encode(`${name}\0`))) return true;
  return false;
}

function openDatabase(options: OpenOptions, root: DatabaseRoot, history: boolean, isNew: boolean): Database {
  try {
    // In one transaction, so that no file is left with tables and without its format.
    const tables = root.transactionSync(() => {
      const created = openTables(root);
      if (isNew) {
        const format = new Uint8Array(4);
        writeUint32(format, 0, FORMAT_VERSION);
        const meta = created.get('meta');
        invariant(meta !== undefined, 'the table meta was not created');
        meta.putSync(text.encode(META_KEYS.format), format);
        meta.putSync(text.encode(META_KEYS.history), Uint8Array.of(history ? 1 : 0));
      }
      return created;
    });
    return new Database(options, root, tables);
  } catch (error) {
    void root.close();
    throw error;
  }
}

function opening<T>(file: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError('STORE_UNREADABLE', `${file} can't be opened: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
