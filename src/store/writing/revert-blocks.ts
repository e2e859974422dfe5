import { StoreError } from '../errors.ts';
import { CommitSize } from '../file/commit-size.ts';
import type { Database } from '../file/database.ts';
import { newestSnapshots, putRestored, removeChainSnapshots } from '../reading/chain-snapshots.ts';
import { lastPatch } from '../reading/patches.ts';
import { readPending, removePending, replacePending } from '../reading/pending.ts';
import type { Reversion, StateChange } from '../store.ts';
import { encodeCount, isBlockNumber } from '../tables/keys.ts';
import { META_KEY_BYTES } from '../tables/tables.ts';
import type { OverwrittenEntry } from '../undo/undo-record.ts';
import { setUndoStart, undoStart } from '../undo/undo-table.ts';
import type { RevertPlan } from './revert-plan.ts';
import { removeReverted } from './reverted-entries.ts';

/**
 * Reverts the newest blocks, in one transaction: everything is as before them, except for the pending transactions and
 * the reorganisation count, which rises. Snapshots of these blocks are removed.
 *
 * @param plan of this reversion, as far as it has come
 * @throws StoreError STORE_WRONG_NUMBER, STORE_NOT_KEPT, STORE_UNREADABLE or STORE_COMMIT_FAILED, and what the
 *   reversion throws; nothing is changed then
 */
export function revertBlocks(
  database: Database,
  reversion: Reversion,
  plan: RevertPlan,
  head: number | undefined,
  reorgCount: number,
): void {
  checkTarget(database, reversion, head);
  plan.finish(head);
  addSizeOfRest(plan.size, database, reversion);
  database.commit(plan.size, () => {
    restoreOverwritten(database, plan.former.values(), reversion);
    removeReverted(database, reversion);
    const start = undoStart(database);
    if (start !== undefined && start > reversion.to) setUndoStart(database, undefined);
    database.table('meta').putSync(META_KEY_BYTES.accumulator, reversion.accumulator());
    writeRest(database, reversion, reorgCount);
  });
}

/** The changes of the blocks that are not in the file. */
interface UnwrittenChanges {
  readonly changes: Iterable<StateChange>;
  /** Sequences of the transactions that they removed from the pending ones. */
  readonly removedPending: readonly number[];
}

/**
 * Reverts all blocks that are not in the file yet: one transaction writes what the revert changes beside them.
 *
 * @throws StoreError STORE_COMMIT_FAILED, and what the reversion throws; nothing is changed then
 */
export function revertUnwritten(
  database: Database,
  reversion: Reversion,
  { changes, removedPending }: UnwrittenChanges,
  reorgCount: number,
): void {
  const size = new CommitSize();
  size.scattered(1 + removedPending.length);
  addSizeOfRest(size, database, reversion);
  database.commit(size, () => {
    for (const { key, before, after } of changes) reversion.onChange({ key, before: after, after: before });
    // The file has that one: this only checks it.
    reversion.accumulator();
    removePending(database, removedPending);
    writeRest(database, reversion, reorgCount);
  });
}

/** Writes what does not belong to the blocks themselves. */
function writeRest(database: Database, reversion: Reversion, reorgCount: number): void {
  removeChainSnapshots(database, snapshotsOf(database, reversion));
  if (reversion.pending !== undefined) replacePending(database, reversion.pending);
  database.table('meta').putSync(META_KEY_BYTES.reorgCount, encodeCount(reorgCount + 1));
  if (reversion.restored !== undefined)
    putRestored(database, { reorgCount: reorgCount + 1, bytes: reversion.restored });
}

function checkTarget(
  database: Database,
  { to, patches = 0, pending }: Reversion,
  head: number | undefined,
): asserts head is number {
  const hasPatches = head !== undefined && isBlockNumber(to) && lastPatch(database, to) >= patches;
  if (
    hasPatches &&
    (to < head || (to === head && (pending !== undefined || lastPatch(database, to) > patches)))
  )
    return;
  const found = head === undefined ? 'has no blocks' : `has block ${head} as its head`;
  throw new StoreError('STORE_WRONG_NUMBER', `a store that ${found} cannot be reverted to block ${to}`);
}

function addSizeOfRest(size: CommitSize, database: Database, reversion: Reversion): void {
  size.scattered(snapshotsOf(database, reversion).length);
  size.scattered(1, reversion.restored?.length);
  if (reversion.pending === undefined) return;
  for (const _ of readPending(database)) size.scattered(1);
  for (const { bytes } of reversion.pending) size.appended(1, bytes.length);
}

function restoreOverwritten(
  database: Database,
  former: Iterable<OverwrittenEntry>,
  { onChange }: Reversion,
): void {
  for (const { table: name, key, before } of former) {
    const table = database.table(name);
    if (name === 'state') onChange({ key, before: database.get('state', key), after: before });
    if (before === undefined) table.removeSync(key);
    else table.putSync(key, before);
  }
}

/** Returns the ids of the snapshots to remove. */
function snapshotsOf(database: Database, { to, patches: kept = 0, snapshotsFrom }: Reversion): number[] {
  return newestSnapshots(database, ({ id, block, patches }) => {
    const isTakenBack = block > to || (block === to && patches > kept);
    return isTakenBack || id >= (snapshotsFrom ?? Number.POSITIVE_INFINITY);
  });
}
