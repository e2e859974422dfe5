/** What blocks overwrote, by which they can be taken back. */

export { isOverwritten, type OverwrittenEntry } from './undo-record.ts';
export { clearUndo, pruneUndo, readUndo, UNDO_KEY_BYTES, undoStart, writeUndo } from './undo-table.ts';
