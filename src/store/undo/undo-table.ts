import { UNDO_CLEARED_MAX, UNDO_PRUNED_TOGETHER } from '../../limits.ts';
import { StoreError } from '../errors.ts';
import { CommitSize } from '../file/commit-size.ts';
import type { Database } from '../file/database.ts';
import type { TableReading } from '../file/table-reading.ts';
import { blockKey, positionKey, readUint32, writeUint32 } from '../tables/record-keys.ts';
import { META_KEY_BYTES } from '../tables/tables.ts';
import { UndoRecord } from './undo-record.ts';

/** Stands in the place of a sequence: the block itself. */
const OF_BLOCK = 0;

/** Bytes of a record's key. */
const UNDO_KEY_BYTES = 8;

/** Key of the record of what a block, or a patch after it, overwrote, in the table of blocks. */
export function undoKey(block: number, sequence = OF_BLOCK): Uint8Array {
  return positionKey(block, sequence);
}

/** The block of which an entry of the table of blocks says what it, or a patch after it, overwrote. */
export function blockOfUndoKey(key: Uint8Array): number | undefined {
  return key.length === UNDO_KEY_BYTES ? readUint32(key, 0) : undefined;
}

/** Takes note that what a block overwrote was written down, inside its commit. */
export function noteUndo(database: Database, block: number): void {
  if (undoStart(database) === undefined) setUndoStart(database, block);
}

/** From now on the records begin with a block; they are without a gap from there up to the head. */
export function setUndoStart(database: Database, block: number | undefined): void {
  const meta = database.table('meta');
  if (block === undefined) {
    meta.removeSync(META_KEY_BYTES.undoStart);
    return;
  }
  const value = new Uint8Array(4);
  writeUint32(value, 0, block);
  meta.putSync(META_KEY_BYTES.undoStart, value);
}

/**
 * Drops the records that are too many, inside the commit of a block: several together, since each of them changes a
 * page that the commit would not touch otherwise.
 */
export function pruneUndo(database: Database, block: number, kept: number): void {
  const start = kept === Number.POSITIVE_INFINITY ? undefined : undoStart(database);
  const last = block - kept;
  if (start === undefined || last + 1 - start < UNDO_PRUNED_TOGETHER) return;
  const end = Math.min(last + 1, start + 2 * UNDO_PRUNED_TOGETHER);
  removeRecords(database, start, end);
  setUndoStart(database, end);
}

/** Removes the records of blocks, and of the patches after them, inside a commit. */
function removeRecords(database: Database, start: number, end: number): void {
  const range = { start: undoKey(start), end: blockKey(end) };
  const keys = Array.from(database.table('blocks').getKeys(range), (key) => key.slice());
  for (const key of keys) if (key.length === UNDO_KEY_BYTES) database.table('blocks').removeSync(key);
}

/** Drops all records, for a store that is to keep none: a later one must not find a gap behind them. */
export function clearUndo(database: Database, head: number): void {
  const size = new CommitSize(2);
  size.scattered(UNDO_CLEARED_MAX);
  for (let start = undoStart(database); start !== undefined; start = undoStart(database)) {
    const first = start;
    const end = Math.min(head + 1, first + UNDO_CLEARED_MAX);
    database.commit(size, () => {
      removeRecords(database, first, end);
      setUndoStart(database, end > head ? undefined : end);
    });
  }
}

/** Number of the oldest block that can be taken back, with all that came after it; `undefined` where none can. */
export function undoStart(tables: TableReading): number | undefined {
  const start = tables.get('meta', META_KEY_BYTES.undoStart);
  return start && readUint32(start, 0);
}

/**
 * What a block, or a patch after it, overwrote.
 * @throws StoreError STORE_NOT_KEPT, STORE_UNREADABLE
 */
export function readUndo(tables: TableReading, block: number, sequence = OF_BLOCK): UndoRecord {
  const bytes = tables.get('blocks', undoKey(block, sequence));
  if (bytes !== undefined) return new UndoRecord(bytes);
  throw notKept(block, sequence);
}

/** The error of a record that is missing: of a block, or of a patch after it. */
export function notKept(block: number, sequence = OF_BLOCK): StoreError {
  const who = sequence === OF_BLOCK ? `block ${block}` : `patch ${sequence} after block ${block}`;
  return new StoreError('STORE_NOT_KEPT', `what ${who} overwrote is not kept`);
}

/**
 * What a block and the patches after it overwrote, in that order.
 * @throws StoreError STORE_NOT_KEPT, STORE_UNREADABLE
 */
export function readUndoOf(tables: TableReading, block: number): UndoRecord[] {
  const records: UndoRecord[] = [];
  const range = { start: undoKey(block), end: blockKey(block + 1) };
  for (const { key, value } of tables.entries('blocks', range)) {
    if (records.length > 0 || readUint32(key, 4) === OF_BLOCK) records.push(new UndoRecord(value));
  }
  if (records.length === 0) readUndo(tables, block);
  return records;
}
