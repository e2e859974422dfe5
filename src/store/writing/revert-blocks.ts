import { CommitSize } from '../file/commit-size.ts';
import type { Database } from '../file/database.ts';
import { lastPatch, readHead, readReorgCount } from '../file/table-reading.ts';
import { newestSnapshots, putRestored, removeChainSnapshots } from '../reading/chain-snapshots.ts';
import type { Revert, StateChange } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { encodeCount, isBlockNumber } from '../tables/keys.ts';
import { META_KEY_BYTES } from '../tables/tables.ts';
import type { OverwrittenEntry } from '../undo/undo-record.ts';
import { setUndoStart, undoStart } from '../undo/undo-table.ts';
import type { LmdbRevertPlan } from './revert-plan.ts';
import { removeReverted } from './reverted-entries.ts';
import { changePending, type PendingChange, replacingPending } from './write-pending.ts';

/** Implements `Store.revertBlocks`. @param plan of this revert, of which any part has been read */
export function revertBlocks(database: Database, revert: Revert, plan: LmdbRevertPlan): void {
  const head = readHead(database);
  checkTarget(database, revert, head);
  plan.finish(head);
  const rest = restOf(database, revert, []);
  addSizeOfRest(plan.size, revert, rest);
  database.commit(plan.size, () => {
    restoreOverwritten(database, plan.overwritten.values(), revert);
    removeReverted(database, revert);
    const start = undoStart(database);
    if (start !== undefined && start > revert.to) setUndoStart(database, undefined);
    database.table('meta').putSync(META_KEY_BYTES.accumulator, revert.accumulator());
    writeRest(database, revert, rest);
  });
}

/** The changes by blocks that are only in memory. */
interface UnwrittenChanges {
  readonly changes: Iterable<StateChange>;
  /** Sequences of the transactions that they removed from the pending ones. */
  readonly removedPending: readonly number[];
}

/**
 * Reverts all blocks that are only in memory. One transaction writes the other changes of the revert.
 *
 * @throws StoreError STORE_COMMIT_FAILED, and errors of the callbacks; nothing is changed then
 */
export function revertUnwritten(
  database: Database,
  revert: Revert,
  { changes, removedPending }: UnwrittenChanges,
): void {
  const size = new CommitSize();
  size.scattered(1);
  const rest = restOf(database, revert, removedPending);
  addSizeOfRest(size, revert, rest);
  database.commit(size, () => {
    for (const { key, before, after } of changes) revert.onChange({ key, before: after, after: before });
    // The file contains this accumulator: the call only checks it.
    revert.accumulator();
    writeRest(database, revert, rest);
  });
}

/** The changes of a revert outside its blocks that depend on what is stored. Their records may be long: read once. */
interface RestOfRevert {
  /** Ids of the snapshots to remove. */
  readonly snapshots: readonly number[];
  readonly pending: PendingChange;
}

/** @param removed sequences of the pending transactions that leave if the revert does not replace all */
function restOf(database: Database, revert: Revert, removed: readonly number[]): RestOfRevert {
  const { pending } = revert;
  return {
    snapshots: snapshotsOf(database, revert),
    pending: pending === undefined ? { removed, added: [] } : replacingPending(database, pending),
  };
}

/** Writes the changes of a revert outside its blocks: snapshots, pending transactions, reorganisation count. */
function writeRest(database: Database, { restored }: Revert, { snapshots, pending }: RestOfRevert): void {
  removeChainSnapshots(database, snapshots);
  changePending(database, pending);
  const reorgCount = readReorgCount(database) + 1;
  database.table('meta').putSync(META_KEY_BYTES.reorgCount, encodeCount(reorgCount));
  if (restored !== undefined) putRestored(database, { reorgCount, bytes: restored });
}

function checkTarget(
  database: Database,
  { to, patches = 0, pending }: Revert,
  head: number | undefined,
): asserts head is number {
  if (head !== undefined && isBlockNumber(to)) {
    const last = lastPatch(database, to);
    const hasChanges = to < head || (to === head && (pending !== undefined || last > patches));
    if (hasChanges && last >= patches) return;
  }
  const found = head === undefined ? 'has no blocks' : `has block ${head} as its head`;
  throw new StoreError('STORE_WRONG_NUMBER', `a store that ${found} cannot be reverted to block ${to}`);
}

function addSizeOfRest(size: CommitSize, { restored }: Revert, { snapshots, pending }: RestOfRevert): void {
  size.scattered(snapshots.length + pending.removed.length);
  size.scattered(1, restored?.length);
  for (const { bytes } of pending.added) size.appended(1, bytes.length);
}

function restoreOverwritten(
  database: Database,
  entries: Iterable<OverwrittenEntry>,
  { onChange }: Revert,
): void {
  for (const { table: name, key, before } of entries) {
    const table = database.table(name);
    if (name === 'state') onChange({ key, before: database.get('state', key), after: before });
    if (before === undefined) table.removeSync(key);
    else table.putSync(key, before);
  }
}

function snapshotsOf(database: Database, { to, patches: last = 0, snapshotsFrom }: Revert): number[] {
  return newestSnapshots(database, ({ id, block, patches }) => {
    const isReverted = block > to || (block === to && patches > last);
    return isReverted || id >= (snapshotsFrom ?? Number.POSITIVE_INFINITY);
  });
}
