import { StoreError } from '../errors.ts';
import { CommitSize } from '../file/commit-size.ts';
import type { Database } from '../file/database.ts';
import { lastPatch } from '../reading/patches.ts';
import type { PatchCommit } from '../store.ts';
import { encodeCount, positionKey } from '../tables/record-keys.ts';
import { META_KEYS, TABLE_NAMES } from '../tables/tables.ts';
import { encodeUndo, isOverwritten, type OverwrittenEntry } from '../undo/undo-record.ts';
import { undoKey } from '../undo/undo-table.ts';

const ACCUMULATOR_KEY = new TextEncoder().encode(META_KEYS.accumulator);
/** Bytes of an entry of the table of counts, and of the key of a patch. */
const COUNT_ENTRY_BYTES = 28;
const PATCH_KEY_BYTES = 8;
/** No entry of the record of what was overwritten has more bytes beside key and value. */
const UNDO_ENTRY_BYTES = 8;

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
    const overwritten = [...patchState(database, commit), ...patchCounts(database, commit)];
    if (isUndoKept) database.table('blocks').putSync(undoKey(head, sequence), encodeUndo(overwritten));
    database.table('meta').putSync(ACCUMULATOR_KEY, commit.accumulator);
    return sequence;
  });
}

function patchState(database: Database, { state }: PatchCommit): OverwrittenEntry[] {
  const table = database.table('state');
  for (const { key, after } of state) {
    if (after === undefined) table.removeSync(key);
    else table.putSync(key, after);
  }
  return state
    .filter(({ before, after }) => isOverwritten(before, after))
    .map(({ key, before }) => ({ table: 'state', key, before }));
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
  let undoBytes = UNDO_ENTRY_BYTES + counts.length * (UNDO_ENTRY_BYTES + COUNT_ENTRY_BYTES);
  for (const { key, before, after } of state) {
    size.scattered(1, key.length, after?.length ?? 0);
    undoBytes += UNDO_ENTRY_BYTES + key.length + (before?.length ?? 0);
  }
  size.scattered(1, PATCH_KEY_BYTES, undoBytes);
  return size;
}
