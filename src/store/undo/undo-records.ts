import { BoundedMap } from '../../bounded-map.ts';
import { UNDO_CACHE_BYTES_MAX } from '../../limits.ts';
import { equalBytes } from '../../protocol/index.ts';
import type { TableReading } from '../file/table-reading.ts';
import { decodeCount, readUint32 } from '../tables/record-keys.ts';
import { META_KEY_BYTES } from '../tables/tables.ts';
import type { OverwrittenEntry, OverwrittenTable, UndoRecord } from './undo-record.ts';
import { readUndoOf } from './undo-table.ts';

/** Bytes that are counted for a record beside those that it is stored as. */
const RECORD_BYTES = 128;

/**
 * What entries were before a block: the oldest of what that block and the later ones overwrote. The records are read
 * through a cache, so that the next look-ups need not read them again.
 */
export class UndoRecords {
  readonly #tables: TableReading;
  readonly #cached = new BoundedMap<number, readonly UndoRecord[]>(UNDO_CACHE_BYTES_MAX, sizeOf);
  /** Those of the head, and the newest key of the table of blocks when they were read. */
  #ofHead: { readonly newest: Uint8Array; readonly records: readonly UndoRecord[] } | undefined;
  /** That of what is in the cache. */
  #epoch = 0;

  constructor(tables: TableReading) {
    this.#tables = tables;
  }

  /**
   * What an entry was before a block; `undefined` where nothing has overwritten it since.
   * @throws StoreError STORE_NOT_KEPT, STORE_UNREADABLE
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
   * The entries of a table whose keys begin with a prefix, as a block and each of those after it have overwritten them:
   * of several with one key, the first is what was there before the block.
   *
   * @throws StoreError STORE_NOT_KEPT, STORE_UNREADABLE
   */
  *withPrefix(block: number, table: OverwrittenTable, prefix: Uint8Array): Generator<OverwrittenEntry> {
    for (const record of this.#since(block)) yield* record.withPrefix(table, prefix);
  }

  /**
   * Keys of a table that the blocks of a range, and the patches after each of them, have overwritten: in the order of
   * the blocks, so that a key may come several times.
   *
   * @throws StoreError STORE_NOT_KEPT, STORE_UNREADABLE
   */
  *keys(first: number, last: number, table: OverwrittenTable): Generator<Uint8Array> {
    for (let block = first; block <= last; block += 1) {
      for (const record of readUndoOf(this.#tables, block)) {
        for (const entry of record.entries()) if (entry.table === table) yield entry.key;
      }
    }
  }

  /** The records of a block and of those after it, in order. */
  *#since(block: number): Generator<UndoRecord> {
    this.#checkEpoch();
    const newest = this.#tables.firstKey('blocks', { reverse: true });
    const head = newest === undefined ? -1 : readUint32(newest, 0);
    for (let number = block; number < head; number += 1) yield* this.#recordsOf(number);
    if (block <= head) yield* this.#recordsOfHead(head, newest);
  }

  /** There may be further patches after the head with the next look-up; then there is a newer key in the table. */
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

  /** Blocks that have vanished may have others in their place. */
  #checkEpoch(): void {
    const stored = this.#tables.get('meta', META_KEY_BYTES.epoch);
    const epoch = stored === undefined ? 0 : decodeCount(stored);
    if (epoch === this.#epoch) return;
    this.#cached.clear();
    this.#ofHead = undefined;
    this.#epoch = epoch;
  }
}

function sizeOf(records: readonly UndoRecord[]): number {
  return records.reduce((size, { bytes }) => size + RECORD_BYTES + bytes.length, 0);
}
