import { realpathSync } from 'node:fs';
import { invariant, messageOf } from '../protocol/index.ts';
import { Database } from './file/database.ts';
import {
  databaseFile,
  flushNames,
  inspectFolder,
  prepareFolder,
  prepareReaders,
  requireComplete,
} from './file/database-file.ts';
import { formatRecord, readFormat } from './file/file-format.ts';
import { Gate } from './file/gate.ts';
import { type DatabaseRoot, OpenedFile, openRoot, openTables, type Tables } from './file/opened-file.ts';
import { requireProcessLimits } from './file/process-limits.ts';
import { createTemporaryFolder, removeTemporaryFolder } from './file/temporary-folder.ts';
import { LmdbReader } from './reading/lmdb-reader.ts';
import type { Store, StoreReader, StoreView } from './store.ts';
import { StoreError } from './store-error.ts';
import type { StoreOptions } from './store-options.ts';
import { META_KEY_BYTES } from './tables/tables.ts';
import { LmdbStore } from './writing/lmdb-store.ts';
import { WriteBehindStore } from './writing/write-behind-store.ts';

/**
 * Opens the store of a folder, or of a new temporary folder. Creates a store in a missing or empty folder. A rejected
 * file stays unchanged, although LMDB's table of readers and the gate may be created in its folder.
 *
 * @throws StoreError STORE_FOREIGN, STORE_NEWER_FORMAT, STORE_OLDER_FORMAT, STORE_UNREADABLE, STORE_READ_ONLY,
 *   STORE_IN_USE, STORE_LIMITED or STORE_HISTORY_DIFFERS
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

/**
 * Opens the store of a folder for reading only, while another process may write to it. The folder must be writable,
 * since readers register their snapshots there.
 *
 * @throws StoreError STORE_MISSING, STORE_FOREIGN, STORE_NEWER_FORMAT, STORE_OLDER_FORMAT, STORE_UNREADABLE,
 *   STORE_LIMITED or STORE_READ_ONLY
 */
export function openStoreForReading(folder: string): StoreReader {
  return openReader(folder, true);
}

/** Opens the store of a folder for reading only, like `openStoreForReading`. All reads use one snapshot. */
export function openStoreView(folder: string): StoreView {
  return openReader(folder, false);
}

function openReader(folder: string, readsNewest: boolean): LmdbReader {
  if (!inspectFolder(folder)) throw new StoreError('STORE_MISSING', `there is no store in ${folder}`);
  const path = realpathSync(folder);
  const file = databaseFile(path);
  const opened = OpenedFile.share(file) ?? openForReading(path, file);
  return new LmdbReader({ history: opened.history, database: new Database(opened, readsNewest) });
}

function openForReading(path: string, file: string): OpenedFile {
  requireProcessLimits();
  prepareReaders(path);
  return throughGate(
    file,
    () => new Gate(path),
    (gate) => {
      requireComplete(file);
      const root = openRoot({ file, durable: true, readOnly: true });
      return orClose(root, () => {
        const history = readFormat(root, file);
        if (history === undefined) throw new StoreError('STORE_MISSING', `the store in ${path} is empty`);
        const tables = openTables(root);
        return new OpenedFile({ file, writable: false, history, root, tables, gate, flushAtEnd: false });
      });
    },
  );
}

function openFolder(folder: string, options: StoreOptions, temporaryFolder?: string): Store {
  requireProcessLimits();
  const filled = inspectFolder(folder);
  if (filled) OpenedFile.assertUnused(databaseFile(realpathSync(folder)));
  prepareFolder(folder, options.durable, options.bytesMax);
  const path = realpathSync(folder);
  const file = databaseFile(path);
  // No other process opens a temporary file before `publish`.
  const isPrivate = temporaryFolder !== undefined && options.writesLater === 'always';
  const makeGate = (): Gate | undefined => (isPrivate ? undefined : new Gate(path, options.durable));
  const opened = throughGate(file, makeGate, (gate) => {
    const existing = filled ? inspectDatabase(file) : undefined;
    const history = existing ?? options.history ?? options.historyOfNewFile ?? true;
    if (options.history !== undefined && options.history !== history) throw historyDiffers(folder, history);
    const { durable, bytesMax } = options;
    const root = openRoot({ file, durable, readOnly: false, bytesMax });
    const tables = orClose(root, () => prepareTables(root, history, existing === undefined));
    if (durable && existing === undefined) flushNames(path);
    const flushAtEnd = !durable && temporaryFolder === undefined;
    return new OpenedFile({ file, writable: true, history, root, tables, gate, flushAtEnd });
  });
  const { undoBlocks = Number.POSITIVE_INFINITY, writesLater } = options;
  invariant(writesLater === undefined || undoBlocks > 0, 'a store that writes later has undo records');
  const database = new Database(opened);
  const storeOptions = { history: opened.history, database, temporaryFolder, undoBlocks };
  if (writesLater === undefined) return new LmdbStore(storeOptions);
  return new WriteBehindStore(storeOptions, writesLater);
}

/** Opens a file while no other process opens it or writes to it. */
function throughGate(
  file: string,
  makeGate: () => Gate | undefined,
  action: (gate: Gate | undefined) => OpenedFile,
): OpenedFile {
  try {
    const gate = makeGate();
    try {
      return gate === undefined ? action(gate) : gate.runExclusive(() => action(gate));
    } catch (error) {
      void gate?.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError('STORE_UNREADABLE', `${file} can't be opened: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function historyDiffers(folder: string, history: boolean): StoreError {
  const choice = history ? 'keeps' : 'does not keep';
  const remedy = history
    ? 'leave --no-history out'
    : '"ledgerd export" and "ledgerd import --history" make a copy that does';
  return new StoreError(
    'STORE_HISTORY_DIFFERS',
    `the store in ${folder} ${choice} history, which can't be changed after its creation: ${remedy}`,
  );
}

/** Reads the format of a file without writing to it, like `readFormat`. */
function inspectDatabase(file: string): boolean | undefined {
  requireComplete(file);
  const root = openRoot({ file, durable: true, readOnly: true });
  try {
    return readFormat(root, file);
  } finally {
    // Synchronous in effect, since nothing was written.
    void root.close();
  }
}

/** Creates the tables of a new file and its format, in one transaction. */
function prepareTables(root: DatabaseRoot, history: boolean, isNew: boolean): Tables {
  return root.transactionSync(() => {
    const tables = openTables(root);
    if (isNew) {
      tables.meta.putSync(META_KEY_BYTES.format, formatRecord());
      tables.meta.putSync(META_KEY_BYTES.history, Uint8Array.of(history ? 1 : 0));
    }
    return tables;
  });
}

/** Runs an action and closes the file if it throws. */
function orClose<T>(root: DatabaseRoot, action: () => T): T {
  try {
    return action();
  } catch (error) {
    void root.close();
    throw error;
  }
}
