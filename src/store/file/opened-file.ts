import { type Database as LmdbTable, open, type RootDatabase } from 'lmdb';
import { STORE_FILE_BYTES_MAX, STORE_READERS_MAX } from '../../limits.ts';
import { messageOf } from '../../protocol/index.ts';
import { StoreError } from '../errors.ts';
import { databaseName, LIST_TABLES, TABLE_NAMES, type TableName } from '../tables/tables.ts';
import type { CommitSize } from './commit-size.ts';
import type { Gate } from './gate.ts';
import { SpaceReserve } from './space-reserve.ts';

/** Milliseconds between two searches for readers whose process has ended. */
const STORE_READER_CHECK_MS = 5_000;

/** One table of the database file. */
export type Table = LmdbTable<Uint8Array, Uint8Array>;
/** LMDB's opening of a file, before its tables are opened. */
export type DatabaseRoot = RootDatabase<Uint8Array, Uint8Array>;

/** Keys and values are bytes as they are. */
export const BINARY = { keyEncoding: 'binary', encoding: 'binary' } as const;

/** A key has a sorted list of values of equal length; the library writes bounds of its ranges as it writes keys. */
const LISTS = {
  ...BINARY,
  dupSort: true,
  dupFixed: true,
  encoder: { writeKey: writeBytes, readKey: readBytes },
} as const;

export interface OpenOptions {
  readonly file: string;
  readonly durable: boolean;
  readonly readOnly: boolean;
}

type OpenedFileParts = Pick<
  OpenedFile,
  'file' | 'writable' | 'history' | 'root' | 'tables' | 'gate' | 'flushAtEnd'
>;

/** The open files of this process. */
const openedFiles = new Map<string, OpenedFile>();

/**
 * A database file that this process has open, once: a second opening by LMDB would end the system's lock of the
 * first (fcntl(2): it goes with any descriptor of the process), and another process would then take the table of
 * readers for unused and begin it anew. All that read the file in this process share it.
 */
export class OpenedFile {
  readonly file: string;
  readonly writable: boolean;
  readonly history: boolean;
  readonly root: DatabaseRoot;
  readonly tables: ReadonlyMap<TableName, Table>;
  readonly gate: Gate;
  /** True if its last user has to wait until all commits are on the disk. */
  readonly flushAtEnd: boolean;
  /** `undefined` where the file is only read. */
  readonly #reserve: SpaceReserve | undefined;
  readonly #readerCheck: NodeJS.Timeout;
  #users = 1;

  constructor(parts: OpenedFileParts) {
    this.file = parts.file;
    this.writable = parts.writable;
    this.history = parts.history;
    this.root = parts.root;
    this.tables = parts.tables;
    this.gate = parts.gate;
    this.flushAtEnd = parts.flushAtEnd;
    this.#reserve = parts.writable ? new SpaceReserve(parts.file) : undefined;
    // A reader that was killed keeps its slot, and the pages that it saw, until someone looks.
    this.#readerCheck = setInterval(() => releaseDeadReaders(parts.root), STORE_READER_CHECK_MS);
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

  /** @throws StoreError STORE_IN_USE when this process has the file open. */
  static assertUnused(file: string): void {
    if (openedFiles.has(file)) throw inUse(file);
  }

  /**
   * Runs an action whose writes are done all together, or not at all when it throws.
   *
   * @param size at least what the action writes
   * @throws what the action throws; what LMDB throws; StoreError STORE_COMMIT_FAILED before anything is begun, when
   *   the disk has no room for it
   */
  commit<T>(size: CommitSize, action: () => T): T {
    return this.gate.pass(() => {
      this.#makeRoom(size);
      return this.root.transactionSync(action);
    });
  }

  #makeRoom(size: CommitSize): void {
    try {
      this.#reserve?.require(size);
    } catch (error) {
      const reason = `the database refused to write: ${messageOf(error)} (the disk is full, or it fails)`;
      throw new StoreError('STORE_COMMIT_FAILED', reason, { cause: error });
    }
  }

  /** Ends one use; the last one closes the file. */
  async release(): Promise<void> {
    this.#users -= 1;
    if (this.#users > 0) return;
    clearInterval(this.#readerCheck);
    try {
      if (this.flushAtEnd) await flushed(this.root);
    } finally {
      await this.root.close();
      await this.gate.close();
      this.#reserve?.close();
      // Another file may have its name by now, when somebody removed this one.
      if (openedFiles.get(this.file) === this) openedFiles.delete(this.file);
    }
  }
}

function inUse(file: string): StoreError {
  return new StoreError('STORE_IN_USE', `${file} is open in this process already`);
}

/** Opens a file by LMDB. What that throws is passed on. */
export function openRoot({ file, durable, readOnly }: OpenOptions): DatabaseRoot {
  // The library's types leave members out, which is no error for what is declared first.
  const options = {
    ...BINARY,
    path: file,
    noSubdir: true,
    readOnly,
    mapSize: STORE_FILE_BYTES_MAX,
    maxReaders: STORE_READERS_MAX,
    maxDbs: 2 * TABLE_NAMES.length,
    // The newest commit is trusted by what reached the disk, never because the machine seems not to have been
    // restarted: that is wrong for a snapshot of a volume.
    safeRestore: true,
    noSync: !durable && !readOnly,
  };
  return open<Uint8Array, Uint8Array>(options);
}

/** Opens the tables of a file, and creates missing ones unless it is only read: an earlier format lacks some. */
export function openTables(root: DatabaseRoot): ReadonlyMap<TableName, Table> {
  const tables = new Map<TableName, Table>();
  for (const name of TABLE_NAMES) {
    const options = LIST_TABLES.has(name) ? LISTS : BINARY;
    // The library gives none where there is none to read, though its types do not say so.
    const table: Table | undefined = root.openDB<Uint8Array, Uint8Array>(databaseName(name), options);
    if (table !== undefined) tables.set(name, table);
  }
  return tables;
}

function releaseDeadReaders(root: DatabaseRoot): void {
  try {
    root.readerCheck();
  } catch {
    // Only space is at stake, which the next search gives back: no reason to end the process.
  }
}

/** Waits until everything is on the disk. The library's types leave the method out. */
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

/** A copy, byte by byte, which is the fastest way for so few: the library reuses what it reads into. */
function readBytes(source: Buffer, start: number, end: number): Uint8Array {
  const copy = new Uint8Array(end - start);
  for (let index = 0; index < copy.length; index += 1) copy[index] = source[start + index] ?? 0;
  return copy;
}
