import { StoreError } from '../errors.ts';
import type { Database } from '../file/database.ts';
import { lastPatch } from '../reading/patches.ts';
import type { PatchCommit } from '../store.ts';
import { encodeCount, positionKey } from '../tables/record-keys.ts';
import { encodeUndo, type OverwrittenEntry } from '../undo/undo-record.ts';
import { undoKey } from '../undo/undo-table.ts';
import { sizeOfPatch } from './block-size.ts';
import { overwrittenState, writeState } from './write-block.ts';

/**
 * Writes a patch after the head and its patches, in one transaction.
 *
 * @param isUndoKept true if it gets an undo record
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
