import type { RangeOptions, Transaction } from 'lmdb';
import type { StateEntry, TableEntry } from '../store.ts';
import { TABLE_NAMES, type TableName } from '../tables/tables.ts';

/** Bounds of the values to read, both included, and their greatest number. */
export interface ValueRange {
  readonly start: Uint8Array;
  readonly end: Uint8Array;
  readonly limit: number;
}

/** A state of the file that several reads share. */
export interface Snapshot {
  readonly transaction: Transaction;
  /** Must be called, and may be called again. */
  end(): void;
}

/** Reads of the tables, which return copies. */
export interface TableReading {
  get(table: TableName, key: Uint8Array): Uint8Array | undefined;
  /** Iterates over a range, as of the first step. */
  entries(table: TableName, range: RangeOptions): Iterable<StateEntry>;
  firstKey(table: TableName, range: RangeOptions): Uint8Array | undefined;
  /** Values of one key in a table of lists. */
  values(table: TableName, key: Uint8Array, range: ValueRange, snapshot: Snapshot): Uint8Array[];
  /** Holds the present state, and so its pages, until it is ended. */
  snapshot(): Snapshot;
}

/** Reads every table, by number and then in key order, all as of the first step. */
export function* readTables(reading: TableReading): Generator<TableEntry> {
  const { transaction, end } = reading.snapshot();
  try {
    for (const table of TABLE_NAMES) {
      for (const entry of reading.entries(table, { transaction })) yield { table, ...entry };
    }
  } finally {
    end();
  }
}
