import type { RangeOptions, Transaction } from 'lmdb';
import { readUint32 } from '../../protocol/index.ts';
import type { StateEntry, TableEntry } from '../store.ts';
import { decodeCount, positionKey } from '../tables/keys.ts';
import { META_KEY_BYTES, TABLE_NAMES, type TableName } from '../tables/tables.ts';

/** Bounds of the values to read, both included, and the greatest number of them. */
export interface ValueRange {
  readonly start: Uint8Array;
  readonly end: Uint8Array;
  readonly limit: number;
}

/** A snapshot of the file that several reads share: a read transaction of LMDB. */
export interface Snapshot {
  readonly transaction: Transaction;
  /** Releases the snapshot. Must be called, and may be called again. */
  end(): void;
}

/** Reads of the tables, which return copies. */
export interface TableReading {
  get(table: TableName, key: Uint8Array): Uint8Array | undefined;
  /** Reads like `get`, and faster, a value of few KiB: the library keeps a buffer as large as the largest one. */
  getShort(table: TableName, key: Uint8Array): Uint8Array | undefined;
  /** Iterates over a range, as of the first step. */
  entries(table: TableName, range: RangeOptions): Iterable<StateEntry>;
  firstKey(table: TableName, range: RangeOptions): Uint8Array | undefined;
  values(table: TableName, key: Uint8Array, range: ValueRange, snapshot: Snapshot): Uint8Array[];
  /** Takes a snapshot of the newest commit. Writers cannot reuse its pages until it is released. */
  snapshot(): Snapshot;
}

/** Reads the number of the newest block; undefined for an empty store. */
export function readHead(tables: TableReading): number | undefined {
  const key = tables.firstKey('blocks', { reverse: true });
  return key && readUint32(key, 0);
}

/** Reads the sequence of the last patch after a block; 0 for none. */
export function lastPatch(tables: TableReading, block: number): number {
  const range = { start: positionKey(block, 0xffff_ffff), end: positionKey(block, 0), reverse: true };
  const key = tables.firstKey('patches', range);
  return key === undefined ? 0 : readUint32(key, 4);
}

/** Reads the number of reorganisations since the file was created. */
export function readReorgCount(tables: TableReading): number {
  return decodeCount(tables.get('meta', META_KEY_BYTES.reorgCount));
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
