import type { RangeOptions, Transaction } from 'lmdb';
import type { StateEntry, TableEntry } from '../store.ts';
import { TABLE_NAMES, type TableName } from '../tables/tables.ts';

/** Bounds of the values to read, both included, and how many to read at most. */
export interface ValueRange {
  readonly start: Uint8Array;
  readonly end: Uint8Array;
  readonly limit: number;
}

/** One state of the file that several reads share. */
export interface Snapshot {
  readonly transaction: Transaction;
  /** Must be called, and may be called again. */
  end(): void;
}

/** The ways to read the tables. What is returned is a copy. */
export interface TableReading {
  /** One value. */
  get(table: TableName, key: Uint8Array): Uint8Array | undefined;
  /** The entries of a range in the order that the options ask for, as of the first step. */
  entries(table: TableName, range: RangeOptions): Iterable<StateEntry>;
  /** The first key of a range in the order that the options ask for. */
  firstKey(table: TableName, range: RangeOptions): Uint8Array | undefined;
  /**
   * Values of one key in a table of lists, within bounds that both belong to the range: the first `limit` of
   * them, as the snapshot shows them.
   */
  values(table: TableName, key: Uint8Array, range: ValueRange, snapshot: Snapshot): Uint8Array[];
  /** Fixes what reads see until it is ended; it then holds no old pages any more. */
  snapshot(): Snapshot;
}

/** Every entry of every table, by table number and then in key order, all as of the first step. */
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
