import { UNDO_CLEARED_MAX, UNDO_PRUNED_MAX } from '../../limits.ts';
import { StoreError } from '../errors.ts';
import { CommitSize, type Database, type TableReading } from '../file/index.ts';
import { positionKey, readUint32 } from '../tables/index.ts';
import { encodeUndo, type OverwrittenEntry, UndoRecord } from './undo-record.ts';

/** Stands in the place of a sequence: the block itself. */
const OF_BLOCK = 0;

/** Bytes of a record's key. */
export const UNDO_KEY_BYTES = 8;

/** Writes down what a block overwrote, inside its commit. The records are those of all newest blocks, without a gap. */
export function writeUndo(database: Database, block: number, entries: readonly OverwrittenEntry[]): void {
  database.table('undo').putSync(positionKey(block, OF_BLOCK), encodeUndo(entries));
}

/** Drops the records of blocks up to one inside a commit, oldest first: no more of them than `most`. */
export function pruneUndo(database: Database, lastBlock: number, most = UNDO_PRUNED_MAX): void {
  if (lastBlock < 0) return;
  const table = database.table('undo');
  const keys = table.getKeys({ end: positionKey(lastBlock + 1, OF_BLOCK), limit: most });
  for (const key of Array.from(keys, (shared) => shared.slice())) table.removeSync(key);
}

/** Drops all records, for a store that is to keep none: a later one must not find a gap behind them. */
export function clearUndo(database: Database, head: number): void {
  while (undoStart(database) !== undefined) {
    const size = new CommitSize(1);
    size.scattered(UNDO_CLEARED_MAX, UNDO_KEY_BYTES, 0);
    database.commit(size, () => pruneUndo(database, head, UNDO_CLEARED_MAX));
  }
}

/** Number of the oldest block that can be taken back, with all that came after it; `undefined` where none can. */
export function undoStart(tables: TableReading): number | undefined {
  const first = tables.firstKey('undo', {});
  return first && readUint32(first, 0);
}

/**
 * What a block overwrote.
 * @throws StoreError STORE_NOT_KEPT, STORE_UNREADABLE
 */
export function readUndo(tables: TableReading, block: number): UndoRecord {
  const bytes = tables.get('undo', positionKey(block, OF_BLOCK));
  if (bytes === undefined) {
    throw new StoreError('STORE_NOT_KEPT', `what block ${block} overwrote is not kept`);
  }
  return new UndoRecord(bytes);
}
