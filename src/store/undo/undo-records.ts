import { BoundedMap } from '../../caching/bounded-map.ts';
import { equalBytes, readUint32 } from '../../protocol/index.ts';
import { readReorgCount, type TableReading } from '../file/table-reading.ts';
import type { OverwrittenEntry, OverwrittenTable, UndoRecord } from './undo-record.ts';
import { readUndoOf } from './undo-table.ts';

/** Bytes of cached undo records for reads of historical states (32 MiB). */
const UNDO_CACHE_BYTES_MAX = 32 * 1024 * 1024;

/** Estimated bytes of memory of a cached record, in addition to its content. */
const RECORD_BYTES = 128;

/**
 * Look-ups of entries as they were before a block, by the undo records of that block and later ones. Caches records.
 */
export class UndoRecords {
  readonly #tables: TableReading;
  readonly #cached = new BoundedMap<number, readonly UndoRecord[]>(UNDO_CACHE_BYTES_MAX, sizeOf);
  /** The records of the head, and the newest key of the table of blocks at that time. */
  #ofHead: { readonly newest: Uint8Array; readonly records: readonly UndoRecord[] } | undefined;
  #reorgCount = 0;

  constructor(tables: TableReading) {
    this.#tables = tables;
  }

  /**
   * Finds an entry before a block; undefined if unchanged since. @throws StoreError STORE_NOT_KEPT, STORE_UNREADABLE
   */
  find(
    block: number,
    table: OverwrittenTable,
    key: Uint8Array,
  ): { readonly before: Uint8Array | undefined } | undefined {
    for (const record of this.#since(block)) {
      const found = record.find(table, key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /**
   * Reads the overwritten entries of a table by key prefix, from a block on. The first of several entries with one key
   * is the entry before the block.
   *
   * @throws StoreError STORE_NOT_KEPT, STORE_UNREADABLE
   */
  *withPrefix(block: number, table: OverwrittenTable, prefix: Uint8Array): Generator<OverwrittenEntry> {
    for (const record of this.#since(block)) yield* record.withPrefix(table, prefix);
  }

  /** Implements `ChainReader.overwrittenKeys`. @throws StoreError STORE_NOT_KEPT, STORE_UNREADABLE */
  *keys(first: number, last: number, table: OverwrittenTable): Generator<Uint8Array> {
    for (let block = first; block <= last; block += 1) {
      for (const record of readUndoOf(this.#tables, block)) {
        for (const entry of record.entries()) if (entry.table === table) yield entry.key;
      }
    }
  }

  *#since(block: number): Generator<UndoRecord> {
    this.#checkReorgCount();
    const newest = this.#tables.firstKey('blocks', { reverse: true });
    const head = newest === undefined ? -1 : readUint32(newest, 0);
    for (let number = block; number < head; number += 1) yield* this.#recordsOf(number);
    if (block <= head) yield* this.#recordsOfHead(head, newest);
  }

  /** Returns the records of the head. A patch adds a newer key, so that they are read again. */
  #recordsOfHead(head: number, newest: Uint8Array | undefined): readonly UndoRecord[] {
    const known = this.#ofHead;
    if (known !== undefined && newest !== undefined && equalBytes(known.newest, newest)) return known.records;
    const records = readUndoOf(this.#tables, head);
    this.#ofHead = newest && { newest: newest.slice(), records };
    return records;
  }

  #recordsOf(block: number): readonly UndoRecord[] {
    const cached = this.#cached.get(block);
    if (cached !== undefined) return cached;
    const records = readUndoOf(this.#tables, block);
    this.#cached.set(block, records);
    return records;
  }

  /** Empties the cache after a revert. */
  #checkReorgCount(): void {
    const reorgCount = readReorgCount(this.#tables);
    if (reorgCount === this.#reorgCount) return;
    this.#cached.clear();
    this.#ofHead = undefined;
    this.#reorgCount = reorgCount;
  }
}

function sizeOf(records: readonly UndoRecord[]): number {
  return records.reduce((size, { bytes }) => size + RECORD_BYTES + bytes.length, 0);
}
