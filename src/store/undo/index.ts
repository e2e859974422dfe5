/** What blocks overwrote, by which they can be taken back. */

export { encodeUndo, isOverwritten, type OverwrittenEntry } from './undo-record.ts';
export { UndoRecords } from './undo-records.ts';
export {
  blockOfUndoKey,
  clearUndo,
  noteUndo,
  pruneUndo,
  readUndo,
  setUndoStart,
  UNDO_KEY_BYTES,
  undoKey,
  undoStart,
} from './undo-table.ts';
