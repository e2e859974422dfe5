import { BLOCK_HEADER_BYTES_MAX, LATTICE_STATE_BYTES } from '../../protocol/index.ts';
import { CommitSize } from '../file/commit-size.ts';
import type { BlockCommit, PatchCommit, StateChange } from '../store.ts';
import { UNDO_PRUNE_BATCH } from '../undo/undo-table.ts';

/**
 * Bytes of an entry of an undo record in addition to its value: header (8), and the longest key (64) or a count (8).
 */
const UNDO_ENTRY_BYTES = 80;
/** Lists that contain every log; each topic adds one. */
const LISTS_OF_LOG = 3;
/** Pages that a position may change: one of its table and one of its list. */
export const PAGES_OF_POSITION = 2;

/** Returns an upper bound of the writes of a commit of blocks. */
export function sizeOfBlocks(commits: readonly BlockCommit[]): CommitSize {
  const size = new CommitSize();
  for (const commit of commits) addSizeOfBlock(size, commit);
  return size;
}

function addSizeOfBlock(size: CommitSize, commit: BlockCommit): void {
  const { otherHashes = [], involved = [], removedPending = [], genesis, payers } = commit;
  size.appended(1, commit.block.length);
  for (const { bytes } of commit.transactions) size.appended(1, bytes.length);
  for (const receipt of commit.receipts) size.appended(1, receipt.length);
  for (const { topics } of commit.logs) size.scattered(PAGES_OF_POSITION * (LISTS_OF_LOG + topics.length));
  const overwriting = otherHashes.length + involved.length + payers.length;
  size.scattered(commit.operationHashes.length + overwriting + removedPending.length);
  size.scattered(1, commit.accumulator.length + (genesis?.length ?? 0));
  size.appended(1, sizeOfUndo(overwriting, commit.state));
  size.scattered(2 * UNDO_PRUNE_BATCH);
  addSizeOfState(size, commit.state);
}

/** Returns an upper bound of the writes of a patch. */
export function sizeOfPatch({ patch, state, counts, accumulator }: PatchCommit): CommitSize {
  const size = new CommitSize();
  size.scattered(1, patch.length);
  size.scattered(1, accumulator.length);
  size.scattered(counts.length);
  size.scattered(1, sizeOfUndo(counts.length, state));
  addSizeOfState(size, state);
  return size;
}

function addSizeOfState(size: CommitSize, state: readonly StateChange[]): void {
  for (const { after } of state) size.scattered(1, after?.length);
}

/** Returns an upper bound of the bytes of an undo record with `entries` short values and changes of the state. */
function sizeOfUndo(entries: number, state: readonly StateChange[]): number {
  let bytes = UNDO_ENTRY_BYTES * (1 + entries + state.length);
  for (const { before } of state) bytes += before?.length ?? 0;
  return bytes;
}

/** Returns an upper bound of the writes of `count` blocks without transactions. */
export function sizeOfEmptyBlocks(count: number): CommitSize {
  const size = new CommitSize();
  size.appended(count, BLOCK_HEADER_BYTES_MAX);
  size.appended(2 * count + 2 * UNDO_PRUNE_BATCH);
  size.scattered(1, LATTICE_STATE_BYTES);
  return size;
}
