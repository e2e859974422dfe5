import type { RangeOptions } from 'lmdb';
import type { Database } from '../file/database.ts';
import type { Snapshot, TableReading, ValueRange } from '../file/table-reading.ts';
import type { StateEntry } from '../store.ts';
import { StoreError } from '../store-error.ts';
import type { TableName } from '../tables/tables.ts';

export class SnapshotReading implements TableReading {
  readonly #database: Database;
  readonly #snapshot: Snapshot;
  #ended = false;

  constructor(database: Database, snapshot: Snapshot) {
    this.#database = database;
    this.#snapshot = snapshot;
  }

  get(table: TableName, key: Uint8Array): Uint8Array | undefined {
    return this.#database.get(table, key, this.#open());
  }

  getShort(table: TableName, key: Uint8Array): Uint8Array | undefined {
    return this.#database.getShort(table, key, this.#open());
  }

  *entries(table: TableName, range: RangeOptions): Generator<StateEntry> {
    yield* this.#database.entries(table, { ...range, ...this.#open() });
  }

  firstKey(table: TableName, range: RangeOptions): Uint8Array | undefined {
    return this.#database.firstKey(table, { ...range, ...this.#open() });
  }

  values(table: TableName, key: Uint8Array, range: ValueRange, snapshot: Snapshot): Uint8Array[] {
    return this.#database.values(table, key, range, snapshot);
  }

  snapshot(): Snapshot {
    this.#open();
    return this.#database.share(this.#snapshot);
  }

  /** Releases the snapshot as soon as running iterations have ended. */
  end(): void {
    this.#ended = true;
    this.#snapshot.end();
  }

  #open(): { transaction: Snapshot['transaction'] } {
    if (this.#ended) throw new StoreError('STORE_CLOSED', 'the snapshot is closed');
    return { transaction: this.#snapshot.transaction };
  }
}
