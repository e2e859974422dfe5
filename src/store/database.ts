import {
  type Database as LmdbTable,
  open,
  type RangeOptions,
  type RootDatabase,
  type Transaction,
} from 'lmdb';
import { STORE_FILE_BYTES_MAX, STORE_READER_CHECK_MS, STORE_READERS_MAX } from '../limits.ts';
import { StoreError } from './errors.ts';
import { databaseName, LIST_TABLES, TABLE_NAMES, type TableName } from './tables.ts';

/** One table of the database file. */
export type Table = LmdbTable<Uint8Array, Uint8Array>;
/** An opened file, before its tables are. */
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

/** How the file is opened. */
export interface OpenOptions {
  readonly file: string;
  readonly durable: boolean;
  readonly readOnly: boolean;
}

/** Opens the database file itself. What LMDB throws is passed on. */
export function openRoot({ file, durable, readOnly }: OpenOptions): DatabaseRoot {
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

/** Bounds of the values to read, both included, and how many to read at most. */
export interface ValueRange {
  readonly start: Uint8Array;
  readonly end: Uint8Array;
  readonly limit: number;
}

/** The state of the file that several reads share. */
export interface Snapshot {
  readonly transaction: Transaction;
  /** Must be called, and may be called again. */
  end(): void;
}

/** The databases of this process, so that each of them sees what another one of the same file commits. */
const opened = new Set<Database>();

/**
 * The tables of an opened file: reads as of the newest commit that give copies, and one way to write. All
 * reads of the event loop's turn would share one snapshot of LMDB if a commit did not end it.
 */
export class Database {
  readonly #file: string;
  readonly #durable: boolean;
  readonly #root: DatabaseRoot;
  readonly #tables: ReadonlyMap<TableName, Table>;
  readonly #readerCheck: NodeJS.Timeout;
  /** Ends each iteration that is under way: LMDB must not be closed below a cursor. */
  readonly #endings = new Set<() => void>();
  #closed = false;

  constructor(options: OpenOptions, root: DatabaseRoot, tables: ReadonlyMap<TableName, Table>) {
    this.#file = options.file;
    this.#durable = options.durable;
    this.#root = root;
    this.#tables = tables;
    // A reader that was killed keeps its slot, and the pages that it saw, until someone looks.
    this.#readerCheck = setInterval(() => releaseDeadReaders(root), STORE_READER_CHECK_MS);
    this.#readerCheck.unref();
    opened.add(this);
  }

  /** A copy of one value. */
  get(table: TableName, key: Uint8Array): Uint8Array | undefined {
    // LMDB knows no empty key, and no entry has one.
    if (key.length === 0) return undefined;
    const lmdbTable = this.table(table);
    const value = reading(() => lmdbTable.get(key));
    return value === undefined ? undefined : plainBytes(value);
  }

  /** The entries of a range in the order that the options ask for, as of the first step. */
  *entries(table: TableName, range: RangeOptions): Generator<{ key: Uint8Array; value: Uint8Array }> {
    const iterator = this.table(table).getRange(range)[Symbol.iterator]();
    const end = this.#endLater(() => iterator.return?.());
    try {
      while (true) {
        this.#assertOpen();
        const step = reading(() => iterator.next());
        if (step.done) return;
        yield { key: plainBytes(step.value.key), value: plainBytes(step.value.value) };
      }
    } finally {
      end();
    }
  }

  /** The first key of a range in the order that the options ask for. */
  firstKey(table: TableName, range: RangeOptions): Uint8Array | undefined {
    const keys = this.table(table).getKeys({ ...range, limit: 1 });
    for (const key of reading(() => [...keys])) return plainBytes(key);
    return undefined;
  }

  /**
   * Values of one key in a table of lists, within bounds that both belong to the range: the first `limit` of them,
   * as the snapshot shows them.
   */
  values(table: TableName, key: Uint8Array, range: ValueRange, snapshot: Snapshot): Uint8Array[] {
    const values = this.table(table).getValues(key, {
      ...range,
      inclusiveEnd: true,
      transaction: snapshot.transaction,
    });
    return reading(() => [...values]);
  }

  /** Fixes what its reads see until it is ended; it then holds no old pages any more. */
  snapshot(): Snapshot {
    this.#assertOpen();
    const transaction = reading(() => this.#root.useReadTransaction());
    return { transaction, end: this.#endLater(() => transaction.done()) };
  }

  /** Every entry of every table, by table number and then in key order, all as of the first step. */
  *allEntries(): Generator<{ table: TableName; key: Uint8Array; value: Uint8Array }> {
    const { transaction, end } = this.snapshot();
    try {
      for (const table of TABLE_NAMES) {
        for (const entry of this.entries(table, { transaction })) yield { table, ...entry };
      }
    } finally {
      end();
    }
  }

  /**
   * Runs an action whose writes are done all together, or not at all when it throws.
   *
   * @throws what the action throws, and StoreError STORE_COMMIT_FAILED for what LMDB refuses.
   */
  commit(action: () => void): void {
    this.#assertOpen();
    try {
      this.#root.transactionSync(action);
    } catch (error) {
      if (error instanceof StoreError) throw error;
      throw new StoreError('STORE_COMMIT_FAILED', `the database refused to write: ${messageOf(error)}`, {
        cause: error,
      });
    }
    for (const database of opened) {
      if (database !== this && database.#file === this.#file) database.#root.resetReadTxn();
    }
  }

  /** A table to write to, inside `commit`. */
  table(name: TableName): Table {
    this.#assertOpen();
    const table = this.#tables.get(name);
    if (table === undefined) throw new StoreError('STORE_UNREADABLE', `the table ${name} is missing`);
    return table;
  }

  /** Ends what reads, closes the file and, with `flush`, first writes to the disk what is not there yet. */
  async close({ flush }: { flush: boolean }): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    opened.delete(this);
    clearInterval(this.#readerCheck);
    for (const end of this.#endings) end();
    if (flush && !this.#durable) await flushed(this.#root);
    await this.#root.close();
  }

  /** Takes note of what ends an iteration; it runs once, when the iteration or the database ends. */
  #endLater(action: () => void): () => void {
    const end = (): void => {
      if (this.#endings.delete(end)) action();
    };
    this.#endings.add(end);
    return end;
  }

  #assertOpen(): void {
    if (this.#closed) throw new StoreError('STORE_CLOSED', 'the store is closed');
  }
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

/** Opens or creates the tables of a file. */
export function openTables(root: DatabaseRoot): ReadonlyMap<TableName, Table> {
  return new Map(
    TABLE_NAMES.map((name) => {
      const options = LIST_TABLES.has(name) ? LISTS : BINARY;
      return [name, root.openDB<Uint8Array, Uint8Array>(databaseName(name), options)];
    }),
  );
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

function reading<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new StoreError('STORE_UNREADABLE', `the database can't be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** LMDB gives Buffers of their own memory; as plain arrays they have no `slice` that shares it. */
function plainBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
