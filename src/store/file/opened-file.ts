import { dirname } from 'node:path';
import { type Database as LmdbTable, open, type RootDatabase, type Transaction } from 'lmdb';
import { messageOf } from '../../protocol/index.ts';
import { StoreError } from '../store-error.ts';
import { STORE_FILE_BYTES_MAX } from '../store-options.ts';
import { databaseName, LIST_TABLES, TABLE_NAMES, type TableName } from '../tables/tables.ts';
import type { CommitSize } from './commit-size.ts';
import { STORE_READERS_MAX } from './database-file.ts';
import { Gate } from './gate.ts';
import { SpaceReserve } from './space-reserve.ts';

/** Milliseconds between two searches for readers whose process has ended. */
const STORE_READER_CHECK_MS = 5_000;

/** One table of the database file. The library's types omit the options of the fast look-up. */
export type Table = LmdbTable<Uint8Array, Uint8Array> & {
  getBinaryFast(key: Uint8Array, options?: { transaction: Transaction }): Uint8Array | undefined;
};
/** The tables of a file. */
export type Tables = Readonly<Record<TableName, Table>>;
/** A file opened by LMDB, without its tables. */
export type DatabaseRoot = RootDatabase<Uint8Array, Uint8Array>;

/** Options of tables whose keys and values are raw bytes. */
export const BINARY = { keyEncoding: 'binary', encoding: 'binary' } as const;

/** Options of tables with a sorted list of values of equal length per key. The encoder applies to bounds of ranges. */
const LISTS = {
  ...BINARY,
  dupSort: true,
  dupFixed: true,
  encoder: { writeKey: writeBytes, readKey: readBytes },
} as const;

type OpenedFileOptions = Pick<
  OpenedFile,
  'file' | 'writable' | 'history' | 'root' | 'tables' | 'flushAtEnd'
> & { readonly gate: Gate | undefined };

const openedFiles = new Map<string, OpenedFile>();

/**
 * A database file that this process has open. All readers in the process share it: closing a second descriptor would
 * release the system's lock of the first (fcntl(2)), and another process would then reset the table of readers.
 */
export class OpenedFile {
  readonly file: string;
  readonly writable: boolean;
  readonly history: boolean;
  readonly root: DatabaseRoot;
  readonly tables: Tables;
  /** True if the last `release` waits until all commits are on the disk. */
  readonly flushAtEnd: boolean;
  /** Absent until `admitProcesses` for a file that no other process opens. */
  #gate: Gate | undefined;
  /** Undefined for a file that is only read. */
  readonly #reserve: SpaceReserve | undefined;
  readonly #readerCheck: NodeJS.Timeout;
  #users = 1;

  constructor({ file, writable, history, root, tables, gate, flushAtEnd }: OpenedFileOptions) {
    this.file = file;
    this.writable = writable;
    this.history = history;
    this.root = root;
    this.tables = tables;
    this.#gate = gate;
    this.flushAtEnd = flushAtEnd;
    this.#reserve = writable ? new SpaceReserve(file) : undefined;
    // The slot of a killed reader, and the pages of its snapshot, stay in use until a check finds it.
    this.#readerCheck = setInterval(() => releaseDeadReaders(root), STORE_READER_CHECK_MS);
    this.#readerCheck.unref();
    openedFiles.set(this.file, this);
  }

  /** Returns the file for one more user, if this process has it open. */
  static share(file: string): OpenedFile | undefined {
    const opened = openedFiles.get(file);
    if (opened === undefined) return undefined;
    if (opened.#users === 0) throw inUse(file);
    opened.#users += 1;
    return opened;
  }

  /** @throws StoreError STORE_IN_USE if this process has the file open */
  static assertUnused(file: string): void {
    if (openedFiles.has(file)) throw inUse(file);
  }

  /** True if other processes may have the file open. */
  get admitsProcesses(): boolean {
    return this.#gate !== undefined;
  }

  /** Prepares the file for other processes, which may open it from now on. @throws StoreError STORE_UNREADABLE */
  admitProcesses(): void {
    this.#gate ??= new Gate(dirname(this.file), false);
  }

  /** Runs an action while no other process opens the file or writes to it. */
  alone<T>(action: () => T): T {
    return this.#gate === undefined ? action() : this.#gate.runExclusive(action);
  }

  /**
   * Runs an action and commits its writes atomically; if it throws, nothing is written.
   *
   * @param size an upper bound of the writes
   * @throws errors of the action and of LMDB; StoreError STORE_COMMIT_FAILED if the disk lacks space, before the action
   */
  commit<T>(size: CommitSize, action: () => T): T {
    return this.alone(() => {
      this.#reserveSpace(size);
      return this.root.transactionSync(action);
    });
  }

  #reserveSpace(size: CommitSize): void {
    try {
      this.#reserve?.require(size);
    } catch (error) {
      const reason = `the database refused to write: ${messageOf(error)} (the disk is full, or it fails)`;
      throw new StoreError('STORE_COMMIT_FAILED', reason, { cause: error });
    }
  }

  /** Removes one user; the last one closes the file. */
  async release(): Promise<void> {
    this.#users -= 1;
    if (this.#users > 0) return;
    clearInterval(this.#readerCheck);
    try {
      if (this.flushAtEnd) await flushed(this.root);
    } finally {
      await this.root.close();
      await this.#gate?.close();
      this.#reserve?.close();
      // If this file was removed, another one may have been opened under its name.
      if (openedFiles.get(this.file) === this) openedFiles.delete(this.file);
    }
  }
}

function inUse(file: string): StoreError {
  return new StoreError('STORE_IN_USE', `${file} is open in this process already`);
}

/** Opens a file by LMDB. @throws errors of LMDB */
export function openRoot({
  file,
  durable,
  readOnly,
  bytesMax = STORE_FILE_BYTES_MAX,
}: {
  readonly file: string;
  readonly durable: boolean;
  readonly readOnly: boolean;
  /** Bytes of addresses that are reserved. */
  readonly bytesMax?: number | undefined;
}): DatabaseRoot {
  // A constant: the library's types lack some options, which TypeScript rejects only in a literal argument.
  const options = {
    ...BINARY,
    path: file,
    noSubdir: true,
    readOnly,
    mapSize: bytesMax,
    maxReaders: STORE_READERS_MAX,
    maxDbs: 2 * TABLE_NAMES.length,
    // Selects the newest commit by the data on the disk. LMDB otherwise trusts unsynced commits if the machine seems
    // not to have restarted, which is wrong for a snapshot of a volume.
    safeRestore: true,
    noSync: !durable && !readOnly,
  };
  return open<Uint8Array, Uint8Array>(options);
}

/** Opens the tables of a file. Creates them in a new one. */
export function openTables(root: DatabaseRoot): Tables {
  const open = (name: TableName): Table =>
    root.openDB<Uint8Array, Uint8Array>(databaseName(name), LIST_TABLES.has(name) ? LISTS : BINARY);
  return Object.fromEntries(TABLE_NAMES.map((name) => [name, open(name)])) as Record<TableName, Table>;
}

function releaseDeadReaders(root: DatabaseRoot): void {
  try {
    root.readerCheck();
  } catch {
    // A failure only delays the reuse of pages until the next check.
  }
}

/** Waits until all commits are on the disk. The library's types omit the method. */
function flushed(root: DatabaseRoot): Promise<void> {
  const synchronizable = root as DatabaseRoot & { sync(done: (error?: unknown) => void): void };
  return new Promise((resolve, reject) => {
    synchronizable.sync((error) => (error === undefined || error === null ? resolve() : reject(error)));
  });
}

function writeBytes(bytes: Uint8Array, target: Buffer, position: number): number {
  target.set(bytes, position);
  return position + bytes.length;
}

/** Copies bytes out of a buffer that the library reuses. A loop is the fastest way for so few bytes. */
function readBytes(source: Buffer, start: number, end: number): Uint8Array {
  const copy = new Uint8Array(end - start);
  for (let index = 0; index < copy.length; index += 1) copy[index] = source[start + index] ?? 0;
  return copy;
}
