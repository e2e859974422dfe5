import { BoundedMap } from '../../bounded-map.ts';
import { UNDO_CACHE_BYTES_MAX } from '../../limits.ts';
import type { TableReading } from '../file/index.ts';
import { decodeCount, META_KEYS, readUint32 } from '../tables/index.ts';
import type { OverwrittenEntry, OverwrittenTable, UndoRecord } from './undo-record.ts';
import { readUndoOf } from './undo-table.ts';

const EPOCH_KEY = new TextEncoder().encode(META_KEYS.epoch);
/** Bytes that are counted for a record beside those that it is stored as. */
const RECORD_BYTES = 128;

/**
 * What entries were before a block: the oldest of what that block and the later ones overwrote. The records are read
 * through a cache, so that the next look-ups need not read them again.
 */
export class UndoRecords {
  readonly #tables: TableReading;
  readonly #cached = new BoundedMap<number, readonly UndoRecord[]>(UNDO_CACHE_BYTES_MAX, sizeOf);
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
   * What the entries of a table whose keys begin with a prefix were before a block, by key: those that were overwritten
   * since.
   *
   * @throws StoreError STORE_NOT_KEPT, STORE_UNREADABLE
   */
  withPrefix(block: number, table: OverwrittenTable, prefix: Uint8Array): OverwrittenEntry[] {
    const found = new Map<string, OverwrittenEntry>();
    for (const record of this.#since(block)) {
      for (const entry of record.withPrefix(table, prefix)) {
        const name = Buffer.from(entry.key).toString('latin1');
        if (!found.has(name)) found.set(name, entry);
      }
    }
    return [...found.values()].sort((left, right) => Buffer.compare(left.key, right.key));
  }

  /** The records of a block and of those after it, in order. */
  *#since(block: number): Generator<UndoRecord> {
    this.#checkEpoch();
    const head = this.#head();
    for (let number = block; number < head; number += 1) yield* this.#recordsOf(number);
    // There may be further patches after the head with the next look-up.
    if (block <= head) yield* readUndoOf(this.#tables, head);
  }

  #recordsOf(block: number): readonly UndoRecord[] {
    const cached = this.#cached.get(block);
    if (cached !== undefined) return cached;
    const records = readUndoOf(this.#tables, block);
    this.#cached.set(block, records);
    return records;
  }

  #head(): number {
    const newest = this.#tables.firstKey('blocks', { reverse: true });
    return newest === undefined ? -1 : readUint32(newest, 0);
  }

  /** Blocks that have vanished may have others in their place. */
  #checkEpoch(): void {
    const stored = this.#tables.get('meta', EPOCH_KEY);
    const epoch = stored === undefined ? 0 : decodeCount(stored);
    if (epoch !== this.#epoch) this.#cached.clear();
    this.#epoch = epoch;
  }
}

function sizeOf(records: readonly UndoRecord[]): number {
  return records.reduce((size, { bytes }) => size + RECORD_BYTES + bytes.length, 0);
}
