import { StoreError } from '../errors.ts';
import { CommitSize } from '../file/commit-size.ts';
import type { Database } from '../file/database.ts';
import { lastPatch } from '../reading/patches.ts';
import type { PatchCommit } from '../store.ts';
import { encodeCount, positionKey } from '../tables/record-keys.ts';
import { TABLE_NAMES } from '../tables/tables.ts';
import { encodeUndo, type OverwrittenEntry } from '../undo/undo-record.ts';
import { undoKey } from '../undo/undo-table.ts';
import { addSizeOfState, COUNT_ENTRY_BYTES, UNDO_ENTRY_BYTES } from './block-size.ts';
import { overwrittenState, writeState } from './write-block.ts';

/** Bytes of the key of a patch. */
const PATCH_KEY_BYTES = 8;

/**
 * Writes a patch behind the head and the patches that are there, in one transaction.
 *
 * @param isUndoKept whether what it overwrites is kept
 * @returns its sequence after the head
 * @throws StoreError STORE_WRONG_NUMBER for a store without blocks, STORE_COMMIT_FAILED; then nothing is written
 */
export function writePatch(
  database: Database,
  commit: PatchCommit,
  isUndoKept: boolean,
  readHead: () => number | undefined,
): number {
  return database.commit(sizeOfPatch(commit), () => {
    const head = readHead();
    if (head === undefined) {
      throw new StoreError('STORE_WRONG_NUMBER', "a store that has no blocks can't be patched");
    }
    const sequence = lastPatch(database, head) + 1;
    database.table('patches').putSync(positionKey(head, sequence), commit.patch);
    writeState(database, commit);
    const overwritten = [...overwrittenState(commit), ...patchCounts(database, commit)];
    if (isUndoKept) database.table('blocks').putSync(undoKey(head, sequence), encodeUndo(overwritten));
    return sequence;
  });
}

function patchCounts(database: Database, { counts }: PatchCommit): OverwrittenEntry[] {
  const table = database.table('operationCounts');
  return counts.map(({ payer, count }) => {
    const before = database.get('operationCounts', payer);
    if (count === 0) table.removeSync(payer);
    else table.putSync(payer, encodeCount(count));
    return { table: 'operationCounts', key: payer, before };
  });
}

function sizeOfPatch({ patch, state, counts, accumulator }: PatchCommit): CommitSize {
  const size = new CommitSize(TABLE_NAMES.length);
  size.scattered(1, PATCH_KEY_BYTES, patch.length);
  size.scattered(1, COUNT_ENTRY_BYTES, accumulator.length);
  size.scattered(counts.length, COUNT_ENTRY_BYTES, 0);
  const undoBytes = UNDO_ENTRY_BYTES + counts.length * (UNDO_ENTRY_BYTES + COUNT_ENTRY_BYTES);
  size.scattered(1, PATCH_KEY_BYTES, undoBytes + addSizeOfState(size, state));
  return size;
}
