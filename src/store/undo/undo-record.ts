import { compareBytes, equalBytes, readUint32, writeUint32 } from '../../protocol/index.ts';
import { StoreError } from '../store-error.ts';
import { TABLES, type TableName } from '../tables/tables.ts';

/** The tables with undo records. Entries of other tables can be derived from the blocks. */
export type OverwrittenTable = Extract<
  TableName,
  'state' | 'operationCounts' | 'operationPositions' | 'addressOperations'
>;

/** An entry as it was before a commit. */
export interface OverwrittenEntry {
  readonly table: OverwrittenTable;
  readonly key: Uint8Array;
  /** Undefined for a new entry. */
  readonly before: Uint8Array | undefined;
}

const OVERWRITTEN: readonly OverwrittenTable[] = [
  'state',
  'operationCounts',
  'operationPositions',
  'addressOperations',
];

/** Bytes of the number of entries, and of the end of each. */
const NUMBER_BYTES = 4;
/** Bytes of the header of an entry: the length of its key (2), and its table (1). */
const HEADER_BYTES = 3;
/** Values of the byte after the key. */
const ABSENT = 0;
const PRESENT = 1;

/**
 * Encodes an undo record: the number of entries, the end of each, and the entries by table and key, each `length of the
 * key (2) ‖ table (1) ‖ key ‖ 0, or 1 ‖ value`. Entries are sorted for look-ups; equal commits have equal records.
 */
export function encodeUndo(entries: readonly OverwrittenEntry[]): Uint8Array {
  const sorted = entries.toSorted(
    (left, right) => TABLES[left.table] - TABLES[right.table] || compareBytes(left.key, right.key),
  );
  let position = NUMBER_BYTES + NUMBER_BYTES * sorted.length;
  let bytes = position;
  for (const { key, before } of sorted) bytes += HEADER_BYTES + key.length + 1 + (before?.length ?? 0);
  const record = new Uint8Array(bytes);
  writeUint32(record, 0, sorted.length);
  let end = NUMBER_BYTES;
  for (const { table, key, before } of sorted) {
    record[position] = key.length >>> 8;
    record[position + 1] = key.length;
    record[position + 2] = TABLES[table];
    record.set(key, position + HEADER_BYTES);
    position += HEADER_BYTES + key.length;
    record[position] = before === undefined ? ABSENT : PRESENT;
    position += 1;
    if (before !== undefined) {
      record.set(before, position);
      position += before.length;
    }
    writeUint32(record, end, position);
    end += NUMBER_BYTES;
  }
  return record;
}

/** Returns true if two values of an entry differ. */
export function isOverwritten(before: Uint8Array | undefined, after: Uint8Array | undefined): boolean {
  return before === undefined || after === undefined ? before !== after : !equalBytes(before, after);
}

/** A stored undo record. Its methods throw STORE_UNREADABLE for damaged bytes. */
export class UndoRecord {
  readonly bytes: Uint8Array;
  readonly count: number;

  /** @param bytes of `encodeUndo`; they are not copied and must not change */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.count = bytes.length < NUMBER_BYTES ? -1 : readUint32(bytes, 0);
    const first = NUMBER_BYTES * (1 + this.count);
    const isComplete = this.count === 0 ? bytes.length === NUMBER_BYTES : first <= bytes.length;
    if (this.count < 0 || !isComplete || this.#end(this.count - 1) !== bytes.length) throw damaged();
  }

  /** The entries by table and key. */
  *entries(): Generator<OverwrittenEntry> {
    for (let index = 0; index < this.count; index += 1) yield this.#entry(index);
  }

  /** Finds an entry; undefined if the commit did not overwrite it. */
  find(table: OverwrittenTable, key: Uint8Array): { readonly before: Uint8Array | undefined } | undefined {
    const index = this.#lowerBound(table, key);
    return index < this.count && this.#compare(index, table, key) === 0 ? this.#entry(index) : undefined;
  }

  /** The entries of a table whose keys begin with a prefix, by key. */
  *withPrefix(table: OverwrittenTable, prefix: Uint8Array): Generator<OverwrittenEntry> {
    for (let index = this.#lowerBound(table, prefix); index < this.count; index += 1) {
      const entry = this.#entry(index);
      if (entry.table !== table || !startsWith(entry.key, prefix)) return;
      yield entry;
    }
  }

  /** Returns the index of the first entry that is not before a key. */
  #lowerBound(table: OverwrittenTable, key: Uint8Array): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, table, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Compares the table and key of an entry with those of a look-up, without copies. */
  #compare(index: number, table: OverwrittenTable, key: Uint8Array): number {
    const { bytes } = this;
    const start = this.#end(index - 1);
    const tables = (bytes[start + 2] ?? 0) - TABLES[table];
    if (tables !== 0) return tables;
    const length = this.#keyLength(start);
    const shared = Math.min(length, key.length);
    for (let at = 0; at < shared; at += 1) {
      const difference = (bytes[start + HEADER_BYTES + at] ?? 0) - (key[at] ?? 0);
      if (difference !== 0) return difference;
    }
    return length - key.length;
  }

  #entry(index: number): OverwrittenEntry {
    const { bytes } = this;
    const start = this.#end(index - 1);
    const end = this.#end(index);
    const flag = start + HEADER_BYTES + this.#keyLength(start);
    const table = OVERWRITTEN.find((name) => TABLES[name] === bytes[start + 2]);
    const isAbsent = bytes[flag] === ABSENT && flag + 1 === end;
    if (table === undefined || flag >= end || !(isAbsent || bytes[flag] === PRESENT)) throw damaged();
    return {
      table,
      key: bytes.slice(start + HEADER_BYTES, flag),
      before: isAbsent ? undefined : bytes.slice(flag + 1, end),
    };
  }

  #keyLength(start: number): number {
    return ((this.bytes[start] ?? 0) << 8) | (this.bytes[start + 1] ?? 0);
  }

  /** Returns the end of an entry, where the next one begins. */
  #end(index: number): number {
    const first = NUMBER_BYTES * (1 + this.count);
    const end = index < 0 ? first : readUint32(this.bytes, NUMBER_BYTES * (1 + index));
    if (end < first || end > this.bytes.length) throw damaged();
    return end;
  }
}

function startsWith(key: Uint8Array, prefix: Uint8Array): boolean {
  return key.length >= prefix.length && prefix.every((byte, index) => key[index] === byte);
}

function damaged(): StoreError {
  return new StoreError('STORE_UNREADABLE', 'the undo record of a block is damaged');
}
