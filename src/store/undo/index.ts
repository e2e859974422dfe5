/** What blocks overwrote, by which they can be taken back. */

export { encodeUndo, isOverwritten, type OverwrittenEntry, UndoRecord } from './undo-record.ts';
export { UndoRecords } from './undo-records.ts';
export {
  blockOfUndoKey,
  clearUndo,
  noteUndo,
  notKept,
  pruneUndo,
  readUndo,
  setUndoStart,
  UNDO_KEY_BYTES,
  undoKey,
  undoStart,
} from './undo-table.ts';
