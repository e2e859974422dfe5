import { dirname } from 'node:path';
import {
  type Address,
  type Hash,
  type OperationHash,
  readUint32,
  toOperationHash,
} from '../../protocol/index.ts';
import type { Database } from '../file/database.ts';
import { withFile } from '../file/database-file.ts';
import { lastPatch, readHead, readReorgCount, readTables, type TableReading } from '../file/table-reading.ts';
import { readLogPositions } from '../logs/log-search.ts';
import type {
  AddressOperation,
  AddressOperationQuery,
  OperationPosition,
  StoredTransaction,
} from '../operations.ts';
import type {
  BackupProgress,
  ChainReader,
  ChainSnapshot,
  LogPosition,
  LogPositionQuery,
  PendingRecord,
  Restored,
  StateEntry,
  StoreReader,
  StoreStatistics,
  StoreView,
  TableEntry,
} from '../store.ts';
import { StoreError } from '../store-error.ts';
import {
  afterPrefix,
  blockKey,
  decodeCount,
  isBlockNumber,
  isOperationIndex,
  OPERATION_HASH_BYTES,
  positionKey,
} from '../tables/keys.ts';
import { META_KEY_BYTES } from '../tables/tables.ts';
import { UndoRecords } from '../undo/undo-records.ts';
import { undoStart } from '../undo/undo-table.ts';
import { readAddressOperations, readOperationOfSender } from './address-operations.ts';
import { backUp } from './backup.ts';
import { readChainSnapshot, readChainSnapshots, readRestored } from './chain-snapshots.ts';
import { HistoricalReader } from './historical-reader.ts';
import { readPending } from './pending.ts';
import { listSidecars, readSidecar } from './sidecars.ts';
import { SnapshotReading } from './snapshot-reading.ts';
import { decodeTransaction, operationCountOf } from './transaction-record.ts';

/** Reads size and readers of an open file. @throws StoreError STORE_UNREADABLE for a damaged one */
function readStatistics(database: Database): StoreStatistics {
  const readers = snapshotsIn(database.readerList());
  // The snapshot prevents writers from reusing the pages of the list of free pages.
  const snapshot = database.snapshot();
  try {
    return withFile(database.file, (file) => {
      const state = database.alone(() => file.state());
      let pages = state.lastPage + 1;
      for (const { count } of file.freePages(state)) pages -= count;
      const newest = Number(state.transaction);
      return {
        fileBytes: file.bytes,
        usedBytes: pages * state.pageBytes,
        readers: readers.length,
        oldestReaderTransactions: readers.reduce((age, snapshot) => Math.max(age, newest - snapshot), 0),
      };
    });
  } finally {
    snapshot.end();
  }
}

/** Parses LMDB's list of readers: a line for each, with process, thread and the number of its commit or `-`. */
function snapshotsIn(list: string): number[] {
  return list
    .split('\n')
    .map((line) => Number(line.trim().split(/\s+/)[2]))
    .filter(Number.isInteger);
}

/** The open file, and the snapshot of it to read. */
export interface LmdbReaderOptions {
  readonly history: boolean;
  readonly database: Database;
  /** Absent: reads the newest commit. */
  readonly snapshot?: SnapshotReading;
}

export class LmdbReader implements StoreView {
  readonly history: boolean;
  protected readonly database: Database;
  readonly #snapshot: SnapshotReading | undefined;
  readonly #tables: TableReading;
  #closing: Promise<void> | undefined;
  /** Created by the first query of a historical state. */
  #undo: UndoRecords | undefined;

  constructor({ history, database, snapshot }: LmdbReaderOptions) {
    this.history = history;
    this.database = database;
    this.#snapshot = snapshot;
    this.#tables = snapshot ?? database;
  }

  get path(): string {
    return dirname(this.database.file);
  }

  head(): number | undefined {
    return readHead(this.#tables);
  }

  state(key: Uint8Array): Uint8Array | undefined {
    return this.#tables.getShort('state', key);
  }

  stateEntries(prefix = new Uint8Array()): Iterable<StateEntry> {
    return this.#tables.entries('state', prefixed(prefix));
  }

  hasState(prefix: Uint8Array): boolean {
    return this.#tables.firstKey('state', prefixed(prefix)) !== undefined;
  }

  mayHaveState(prefix: Uint8Array): boolean {
    return this.hasState(prefix);
  }

  block(number: number): Uint8Array | undefined {
    return isBlockNumber(number) ? this.#tables.get('blocks', blockKey(number)) : undefined;
  }

  transaction(number: number, operationIndex: number): StoredTransaction | undefined {
    if (!isBlockNumber(number) || !isOperationIndex(operationIndex)) return undefined;
    // Most transactions have one operation: a look-up avoids the search.
    const key = positionKey(number, operationIndex);
    const value = this.#tables.get('transactions', key);
    if (value !== undefined) return decodeTransaction({ key, value });
    // Otherwise the last transaction that begins before the operation may contain it.
    const end = positionKey(number, 0);
    const range = { start: key, end, inclusiveEnd: true, reverse: true, limit: 1 };
    for (const entry of this.#tables.entries('transactions', range)) {
      const transaction = decodeTransaction(entry);
      if (operationIndex < transaction.firstOperation + operationCountOf(entry)) return transaction;
    }
    return undefined;
  }

  *transactionsOf(number: number): Iterable<StoredTransaction> {
    if (!isBlockNumber(number)) return;
    for (const entry of this.#tables.entries('transactions', prefixed(blockKey(number)))) {
      yield decodeTransaction(entry);
    }
  }

  receipt(number: number, operationIndex: number): Uint8Array | undefined {
    if (!isBlockNumber(number) || !isOperationIndex(operationIndex)) return undefined;
    return this.#tables.get('receipts', positionKey(number, operationIndex))?.subarray(OPERATION_HASH_BYTES);
  }

  *receiptsOf(number: number): Iterable<Uint8Array> {
    if (!isBlockNumber(number)) return;
    for (const { value } of this.#tables.entries('receipts', prefixed(blockKey(number)))) {
      yield value.subarray(OPERATION_HASH_BYTES);
    }
  }

  operationHash(number: number, operationIndex: number): OperationHash | undefined {
    if (!isBlockNumber(number) || !isOperationIndex(operationIndex)) return undefined;
    const record = this.#tables.get('receipts', positionKey(number, operationIndex));
    return record && toOperationHash(record.subarray(0, OPERATION_HASH_BYTES));
  }

  logPositions(query: LogPositionQuery): Iterable<LogPosition> {
    return readLogPositions(this.#tables, query);
  }

  operationPositions(hash: OperationHash): readonly OperationPosition[] {
    const positions: OperationPosition[] = [];
    for (const { key } of this.#tables.entries('operationPositions', prefixed(hash))) {
      positions.push({ block: readUint32(key, hash.length), index: readUint32(key, hash.length + 4) });
    }
    return positions;
  }

  addressOperations(query: AddressOperationQuery): readonly AddressOperation[] {
    return readAddressOperations(this.#tables, query);
  }

  operationOfSender(address: Address, count: number): OperationPosition | undefined {
    this.#requireHistory();
    return readOperationOfSender(this.#tables, address, count);
  }

  operationCount(address: Address): number {
    this.#requireHistory();
    return decodeCount(this.#tables.get('operationCounts', address));
  }

  #requireHistory(): void {
    if (this.history) return;
    const reason = 'the store does not count operations: it was created without history';
    throw new StoreError('STORE_HISTORY_OFF', reason);
  }

  accumulator(): Uint8Array | undefined {
    return this.#tables.get('meta', META_KEY_BYTES.accumulator);
  }

  genesis(): Uint8Array | undefined {
    return this.#tables.get('meta', META_KEY_BYTES.genesis);
  }

  openedWith(): Uint8Array | undefined {
    return this.#tables.get('meta', META_KEY_BYTES.openedWith);
  }

  reorgCount(): number {
    return readReorgCount(this.#tables);
  }

  restored(): Restored | undefined {
    return readRestored(this.#tables);
  }

  undoStart(): number | undefined {
    return undoStart(this.#tables);
  }

  overwrittenKeys(first: number, last: number): Iterable<Uint8Array> {
    this.#undo ??= new UndoRecords(this.#tables);
    return this.#undo.keys(first, last, 'state');
  }

  before(block: number): ChainReader {
    const after = (this.head() ?? -1) + 1;
    if (block < Math.min(this.undoStart() ?? after, after) || block > after) {
      throw new StoreError('STORE_NOT_KEPT', `the state before block ${block} is not stored`);
    }
    this.#undo ??= new UndoRecords(this.#tables);
    return new HistoricalReader(this, this.#undo, block);
  }

  *patchesAfter(block: number): Iterable<Uint8Array> {
    if (!isBlockNumber(block)) return;
    for (const { value } of this.#tables.entries('patches', prefixed(blockKey(block)))) yield value;
  }

  patchAt(block: number, sequence: number): Uint8Array | undefined {
    if (!isBlockNumber(block) || !isBlockNumber(sequence)) return undefined;
    return this.#tables.get('patches', positionKey(block, sequence));
  }

  patchCount(block: number): number {
    return isBlockNumber(block) ? lastPatch(this.#tables, block) : 0;
  }

  newestPatch(): Uint8Array | undefined {
    const key = this.#tables.firstKey('patches', { reverse: true });
    return key && this.#tables.get('patches', key);
  }

  pendingTransactions(): Iterable<PendingRecord> {
    return readPending(this.#tables);
  }

  sidecar(hash: Hash): Uint8Array | undefined {
    return readSidecar(this.#tables, hash);
  }

  sidecars(): Iterable<{ readonly hash: Hash; readonly length: number }> {
    return listSidecars(this.#tables);
  }

  chainSnapshot(id: number): ChainSnapshot | undefined {
    return readChainSnapshot(this.#tables, id);
  }

  chainSnapshots(): Iterable<ChainSnapshot> {
    return readChainSnapshots(this.#tables);
  }

  tables(): Iterable<TableEntry> {
    return readTables(this.#tables);
  }

  snapshot(): StoreReader {
    const { history, database } = this;
    const snapshot = new SnapshotReading(database, this.#tables.snapshot());
    return new LmdbReader({ history, database, snapshot });
  }

  refresh(): void {
    this.database.refresh();
  }

  statistics(): StoreStatistics {
    return readStatistics(this.database);
  }

  backup(folder: string, onProgress?: (progress: BackupProgress) => void): Promise<void> {
    return backUp(this.database, folder, onProgress);
  }

  close(): Promise<void> {
    this.#closing ??= this.end();
    return this.#closing;
  }

  /** Releases the file or the snapshot. The first `close` calls it, once. */
  protected async end(): Promise<void> {
    if (this.#snapshot !== undefined) this.#snapshot.end();
    else await this.database.close();
  }
}

/** Returns the range of the keys that begin with a prefix. */
function prefixed(prefix: Uint8Array): { start?: Uint8Array; end?: Uint8Array } {
  const end = afterPrefix(prefix);
  // LMDB has no empty keys, and begins with the first one by default.
  return { ...(prefix.length > 0 && { start: prefix }), ...(end !== undefined && { end }) };
}
