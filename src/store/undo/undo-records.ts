import { BoundedMap } from '../../bounded-map.ts';
import { UNDO_CACHE_BYTES_MAX } from '../../limits.ts';
import { equalBytes } from '../../protocol/index.ts';
import type { TableReading } from '../file/table-reading.ts';
import { decodeCount, readUint32 } from '../tables/keys.ts';
import { META_KEY_BYTES } from '../tables/tables.ts';
import type { OverwrittenEntry, OverwrittenTable, UndoRecord } from './undo-record.ts';
import { readUndoOf } from './undo-table.ts';

/** Bytes that are counted for a record beside its stored ones. */
const RECORD_BYTES = 128;

/** Reads of entries before a block: the oldest in the undo records of that block and the later ones, with a cache. */
export class UndoRecords {
  readonly #tables: TableReading;
  readonly #cached = new BoundedMap<number, readonly UndoRecord[]>(UNDO_CACHE_BYTES_MAX, sizeOf);
  /** The records of the head, and the newest key of the table of blocks at that time. */
  #ofHead: { readonly newest: Uint8Array; readonly records: readonly UndoRecord[] } | undefined;
  /** The reorganisation count of the cache. */
  #reorgCount = 0;

  constructor(tables: TableReading) {
    this.#tables = tables;
  }

  /** Finds an entry before a block; `undefined` if unchanged. @throws StoreError STORE_NOT_KEPT, STORE_UNREADABLE */
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
   * Reads the overwritten entries of a table whose keys begin with a prefix, from a block on: the first of several with
   * one key is that before the block.
   *
   * @throws StoreError STORE_NOT_KEPT, STORE_UNREADABLE
   */
  *withPrefix(block: number, table: OverwrittenTable, prefix: Uint8Array): Generator<OverwrittenEntry> {
    for (const record of this.#since(block)) yield* record.withPrefix(table, prefix);
  }

  /** Reads what `ChainReader.overwrittenKeys` returns. @throws StoreError STORE_NOT_KEPT, STORE_UNREADABLE */
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

  /** Reads the head's records anew after a further patch, which has a newer key. */
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
    const stored = this.#tables.get('meta', META_KEY_BYTES.reorgCount);
    const reorgCount = stored === undefined ? 0 : decodeCount(stored);
    if (reorgCount === this.#reorgCount) return;
    this.#cached.clear();
    this.#ofHead = undefined;
    this.#reorgCount = reorgCount;
  }
}

function sizeOf(records: readonly UndoRecord[]): number {
  return records.reduce((size, { bytes }) => size + RECORD_BYTES + bytes.length, 0);
}
