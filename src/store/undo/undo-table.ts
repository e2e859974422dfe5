import { readUint32, writeUint32 } from '../../protocol/index.ts';
import { CommitSize } from '../file/commit-size.ts';
import type { Database } from '../file/database.ts';
import { readHead, type TableReading } from '../file/table-reading.ts';
import { StoreError } from '../store-error.ts';
import { blockKey, positionKey } from '../tables/keys.ts';
import { META_KEY_BYTES } from '../tables/tables.ts';
import { UndoRecord } from './undo-record.ts';

/** Undo records that are pruned in one commit; so many may exist beyond the configured number. */
export const UNDO_PRUNE_BATCH = 32;
/** Undo records that one commit removes when a store without undo records is opened. */
const UNDO_CLEARED_MAX = 4_096;

/** The sequence of the undo record of a block itself. */
export const OF_BLOCK = 0;

/** Bytes of a record's key. */
const UNDO_KEY_BYTES = 8;

/** Returns the key of the undo record of a block, or of a patch after it, in the table of blocks. */
export function undoKey(block: number, sequence = OF_BLOCK): Uint8Array {
  return positionKey(block, sequence);
}

/** Returns the block of an undo record in the table of blocks; undefined for another entry. */
export function blockOfUndoKey(key: Uint8Array): number | undefined {
  return key.length === UNDO_KEY_BYTES ? readUint32(key, 0) : undefined;
}

/** Records inside its commit that a block has an undo record. */
export function noteUndo(database: Database, block: number): void {
  if (undoStart(database) === undefined) setUndoStart(database, block);
}

/** Sets the first block with an undo record: all blocks from there up to the head have one. */
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
 * Drops records beyond the newest `retained`, inside the commit of a block: in batches, since each removal changes a
 * page that the commit would not write otherwise.
 */
export function pruneUndo(database: Database, block: number, retained: number): void {
  const start = retained === Number.POSITIVE_INFINITY ? undefined : undoStart(database);
  const last = block - retained;
  if (start === undefined || last + 1 - start < UNDO_PRUNE_BATCH) return;
  const end = Math.min(last + 1, start + 2 * UNDO_PRUNE_BATCH);
  removeRecords(database, start, end);
  setUndoStart(database, end);
}

/** Removes the records of blocks, and of the patches after them, inside a commit. */
function removeRecords(database: Database, start: number, end: number): void {
  const range = { start: undoKey(start), end: blockKey(end) };
  const keys = Array.from(database.table('blocks').getKeys(range), (key) => key.slice());
  for (const key of keys) if (key.length === UNDO_KEY_BYTES) database.table('blocks').removeSync(key);
}

/** Drops all records, for a store without undo records: later ones must not follow a gap. */
export function clearUndo(database: Database): void {
  const head = readHead(database) ?? 0;
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

/** Reads the number of the oldest block with an undo record; undefined for none. */
export function undoStart(tables: TableReading): number | undefined {
  const start = tables.get('meta', META_KEY_BYTES.undoStart);
  return start && readUint32(start, 0);
}

/** Reads the undo record of a block, or of a patch after it. @throws StoreError STORE_NOT_KEPT, STORE_UNREADABLE */
export function readUndo(tables: TableReading, block: number, sequence = OF_BLOCK): UndoRecord {
  const bytes = tables.get('blocks', undoKey(block, sequence));
  if (bytes !== undefined) return new UndoRecord(bytes);
  throw notKept(block, sequence);
}

/** Creates the error for a missing record. */
export function notKept(block: number, sequence = OF_BLOCK): StoreError {
  const subject = sequence === OF_BLOCK ? `block ${block}` : `patch ${sequence} after block ${block}`;
  return new StoreError('STORE_NOT_KEPT', `the undo record of ${subject} is not stored`);
}

/** Reads the undo records of a block and its patches. @throws StoreError STORE_NOT_KEPT, STORE_UNREADABLE */
export function readUndoOf(tables: TableReading, block: number): UndoRecord[] {
  const records: UndoRecord[] = [];
  const range = { start: undoKey(block), end: blockKey(block + 1) };
  for (const { key, value } of tables.entries('blocks', range)) {
    if (records.length > 0 || readUint32(key, 4) === OF_BLOCK) records.push(new UndoRecord(value));
  }
  if (records.length === 0) readUndo(tables, block);
  return records;
}
