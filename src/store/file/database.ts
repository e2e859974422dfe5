import { constants } from 'node:os';
import type { RangeOptions, Transaction } from 'lmdb';
import { LedgerdError, messageOf } from '../../protocol/index.ts';
import { StoreError } from '../store-error.ts';
import type { TableName } from '../tables/tables.ts';
import type { CommitSize } from './commit-size.ts';
import type { OpenedFile, Table } from './opened-file.ts';
import type { Snapshot, TableReading, ValueRange } from './table-reading.ts';

/** A reference-counted transaction: each `use`, which the library's types omit, requires one more `done`. */
type CountedTransaction = Transaction & { use(): void };

/** An open file, and the functions that end its iterations and snapshots: LMDB must not be closed before. */
interface ReadFile {
  readonly opened: OpenedFile;
  readonly endings: Set<() => void>;
  /** Called when the last one has ended. */
  onUnused?: (this: void) => void;
}

/**
 * The tables of an open file: reads as of the newest commit, which return copies, and commits. All reads in one
 * iteration of the event loop share a snapshot of LMDB, unless a commit ends it.
 */
export class Database implements TableReading {
  #current: ReadFile;
  /** Files that were replaced, until their last reads have ended. */
  readonly #former = new Set<ReadFile>();
  /** The files of snapshots. */
  readonly #files = new WeakMap<Transaction, ReadFile>();
  /** Copies of the file, and releases of former ones. */
  readonly #copies = new Set<Promise<void>>();
  #closed = false;
  /** A failure of the disk during a commit. No further commit begins after it. */
  #diskFailure: StoreError | undefined;

  #isCommitting = false;
  readonly #readsNewest: boolean;
  readonly #short = new ReadBuffer();
  /** Writes the blocks that are only in memory. */
  #settle: (() => void) | undefined;
  #beforeCommit: (() => void) | undefined;

  /** @param readsNewest false if all reads use one snapshot until `refresh` */
  constructor(opened: OpenedFile, readsNewest = true) {
    this.#current = { opened, endings: new Set() };
    this.#readsNewest = readsNewest && !opened.writable;
  }

  get #opened(): OpenedFile {
    return this.#current.opened;
  }

  /** Sets a function that runs before each read and write; absent: none. */
  settleBefore(settle?: () => void): void {
    this.#settle = settle;
  }

  /** Sets a function that runs before each commit. */
  beforeCommits(act: () => void): void {
    this.#beforeCommit = act;
  }

  /** Runs an action on the tables without the function of `settleBefore`. */
  withoutSettling<T>(action: () => T): T {
    const settle = this.#settle;
    this.#settle = undefined;
    try {
      return action();
    } finally {
      this.#settle = settle;
    }
  }

  get file(): string {
    return this.#opened.file;
  }

  /** True if no other process has opened the file, or may open it. */
  get isPrivate(): boolean {
    return !this.#opened.admitsProcesses;
  }

  /**
   * Continues with the file of another database, which is closed by this. Reads that have begun go on in the former
   * file.
   *
   * @param onReleased called when the former file is closed
   */
  adopt(other: Database, onReleased: () => void): void {
    const former = this.#current;
    this.#current = other.#current;
    other.#closed = true;
    this.#former.add(former);
    former.onUnused = () => this.#release(former, onReleased);
    if (former.endings.size === 0) former.onUnused();
  }

  #release(former: ReadFile, onReleased: () => void): void {
    this.#former.delete(former);
    const released = former.opened.release().then(onReleased);
    this.#copies.add(released);
    void released.finally(() => this.#copies.delete(released));
  }

  get(table: TableName, key: Uint8Array, options?: { transaction: Transaction }): Uint8Array | undefined {
    // LMDB does not support empty keys.
    if (key.length === 0) return undefined;
    this.#settle?.();
    const lmdbTable = this.#tableOf(table, options);
    this.#refresh();
    const value = reading(() => lmdbTable.get(key, options));
    return value === undefined ? undefined : plainBytes(value);
  }

  getShort(
    table: TableName,
    key: Uint8Array,
    options?: { transaction: Transaction },
  ): Uint8Array | undefined {
    if (key.length === 0) return undefined;
    this.#settle?.();
    const lmdbTable = this.#tableOf(table, options);
    this.#refresh();
    try {
      const value = lmdbTable.getBinaryFast(key, options);
      return value && this.#short.copy(value);
    } catch (error) {
      throw unreadable(error);
    }
  }

  *entries(table: TableName, range: RangeOptions): Generator<{ key: Uint8Array; value: Uint8Array }> {
    this.#settle?.();
    const lmdbTable = this.#tableOf(table, range);
    this.#refresh();
    const iterator = lmdbTable.getRange(range)[Symbol.iterator]();
    const end = endLater(this.#fileOf(range), () => iterator.return?.());
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

  firstKey(table: TableName, range: RangeOptions): Uint8Array | undefined {
    this.#settle?.();
    const lmdbTable = this.#tableOf(table, range);
    this.#refresh();
    const keys = lmdbTable.getKeys({ ...range, limit: 1 });
    for (const key of reading(() => [...keys])) return plainBytes(key);
    return undefined;
  }

  values(table: TableName, key: Uint8Array, range: ValueRange, snapshot: Snapshot): Uint8Array[] {
    const values = this.#tableOf(table, snapshot).getValues(key, {
      ...range,
      inclusiveEnd: true,
      transaction: snapshot.transaction,
    });
    return reading(() => [...values]);
  }

  snapshot(): Snapshot {
    this.#assertOpen();
    this.#settle?.();
    this.#refresh();
    const transaction = reading(() => this.#opened.root.useReadTransaction());
    this.#files.set(transaction, this.#current);
    return this.#snapshotOf(transaction);
  }

  /** Returns another reference to a snapshot, to be ended separately. */
  share({ transaction }: Snapshot): Snapshot {
    this.#assertOpen();
    (transaction as CountedTransaction).use();
    return this.#snapshotOf(transaction);
  }

  #snapshotOf(transaction: Transaction): Snapshot {
    return { transaction, end: endLater(this.#fileOf({ transaction }), () => transaction.done()) };
  }

  /** Returns the file that a snapshot is of; without one, that of new reads. */
  #fileOf(snapshot: Partial<Pick<Snapshot, 'transaction'>> | undefined): ReadFile {
    const transaction = snapshot?.transaction;
    return (transaction && this.#files.get(transaction)) ?? this.#current;
  }

  /**
   * Runs an action and commits its writes atomically; if it throws, nothing is written. A nested commit is a part of
   * the outer one, whose size must include it and whose action must rethrow its errors.
   *
   * @param size an upper bound of the writes
   * @throws errors of the action; StoreError STORE_COMMIT_FAILED if LMDB or the disk rejects the commit,
   *   STORE_DISK_FAILED if the disk fails during the commit
   */
  commit<T>(size: CommitSize, action: () => T): T {
    this.#assertOpen();
    if (this.#diskFailure !== undefined) throw this.#diskFailure;
    if (this.#isCommitting) return action();
    this.#settle?.();
    this.#beforeCommit?.();
    this.#isCommitting = true;
    try {
      return this.#opened.commit(size, action);
    } catch (error) {
      if (error instanceof LedgerdError) throw error;
      const failure = commitError(error);
      if (failure.code === 'STORE_DISK_FAILED') this.#diskFailure = failure;
      throw failure;
    } finally {
      this.#isCommitting = false;
    }
  }

  /** Returns a table to write to, inside `commit`. */
  table(name: TableName): Table {
    return this.#tableOf(name);
  }

  /** Returns a table, of a snapshot if there is one. */
  #tableOf(name: TableName, snapshot?: Partial<Pick<Snapshot, 'transaction'>>): Table {
    this.#assertOpen();
    return this.#fileOf(snapshot).opened.tables[name];
  }

  /** Returns LMDB's list of the readers of all running processes, one per line. */
  readerList(): string {
    this.#assertOpen();
    const { root } = this.#opened;
    root.resetReadTxn();
    return reading(() => {
      root.readerCheck();
      return root.readerList();
    });
  }

  /** Runs an action while no process opens the file or writes to it. */
  alone<T>(action: () => T): T {
    this.#assertOpen();
    return this.#opened.alone(action);
  }

  /** Prepares the file for other processes, which may open it from now on. @throws StoreError STORE_UNREADABLE */
  admitProcesses(): void {
    this.#assertOpen();
    this.#opened.admitProcesses();
  }

  /**
   * Copies one snapshot of the file, while reads and writes continue. `close` waits for it.
   *
   * @throws errors of LMDB
   */
  async copy(file: string): Promise<void> {
    this.#assertOpen();
    this.#settle?.();
    // The compacting form has produced damaged copies.
    const copying = this.#opened.root.backup(file, false);
    this.#copies.add(copying);
    try {
      await copying;
    } finally {
      this.#copies.delete(copying);
    }
  }

  /** Ends all reads, and releases the file. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const { endings } of [...this.#former, this.#current]) for (const end of endings) end();
    await Promise.allSettled(this.#copies);
    await this.#opened.release();
  }

  /** Makes later reads use the newest commit. */
  refresh(): void {
    this.#assertOpen();
    this.#opened.root.resetReadTxn();
  }

  /** Ends the shared snapshot of this iteration of the event loop: a new one shows commits of other processes. */
  #refresh(): void {
    if (this.#readsNewest) this.#opened.root.resetReadTxn();
  }

  #assertOpen(): void {
    if (this.#closed) throw new StoreError('STORE_CLOSED', 'the store is closed');
  }
}

/**
 * Creates the error of a failed commit. After an error of the system the disk may have any part of the commit: the
 * kernel does not write data of a failed sync again, and LMDB's message may have overwritten memory of LMDB.
 */
function commitError(cause: unknown): StoreError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (Object.values(constants.errno).some((number) => number === code)) {
    const reason = `the disk failed during a commit, so that this process must end: ${messageOf(cause)}`;
    return new StoreError('STORE_DISK_FAILED', reason, { cause });
  }
  return new StoreError('STORE_COMMIT_FAILED', `the database refused to write: ${messageOf(cause)}`, {
    cause,
  });
}

/** Returns a function that runs an action once; closing the file runs it as well. */
function endLater(file: ReadFile, action: () => void): () => void {
  const end = (): void => {
    if (!file.endings.delete(end)) return;
    action();
    if (file.endings.size === 0) file.onUnused?.();
  };
  file.endings.add(end);
  return end;
}

function reading<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw unreadable(error);
  }
}

function unreadable(cause: unknown): StoreError {
  return new StoreError('STORE_UNREADABLE', `the database can't be read: ${messageOf(cause)}`, { cause });
}

/** Copies values out of the buffer into which the library reads them, until it replaces the buffer by a longer one. */
class ReadBuffer {
  #buffer: Uint8Array | undefined;
  /** The same bytes: copies of a Buffer would be slower, and would be Buffers. */
  #bytes: Uint8Array = new Uint8Array();

  /** @param value the buffer, with the length of the value, or a Buffer of the value alone */
  copy(value: Uint8Array): Uint8Array {
    if (value !== this.#buffer) {
      this.#buffer = value;
      this.#bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    }
    return this.#bytes.slice(0, value.length);
  }
}

/** Returns a Buffer of LMDB as a plain array, since `slice` of a Buffer shares memory. */
function plainBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
