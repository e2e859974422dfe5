import { BLOCK_HEADER_BYTES_MAX, UNDO_PRUNED_TOGETHER } from '../../limits.ts';
import { LATTICE_STATE_BYTES } from '../../protocol/index.ts';
import { CommitSize } from '../file/commit-size.ts';
import { SEQUENCE_BYTES } from '../reading/pending.ts';
import type { BlockCommit, StateChange } from '../store.ts';
import { ADDRESS_OPERATION_KEY_BYTES, OPERATION_HASH_BYTES } from '../tables/record-keys.ts';
import { TABLE_NAMES } from '../tables/tables.ts';
import { UNDO_KEY_BYTES } from '../undo/undo-table.ts';

/** The longest keys and the fixed parts of records of their tables. */
const POSITION_KEY_BYTES = 8;
const OPERATION_POSITION_BYTES = 28;
export const COUNT_ENTRY_BYTES = 28;
const TRANSACTION_HEAD_BYTES = 4;
/** A list's key (1 byte, an address and a topic) and a position. */
const LIST_KEY_BYTES = 53;
const LIST_POSITION_BYTES = 12;
/** How many operations a sender had paid for before. */
const SENDER_COUNT_BYTES = 8;
/** No entry of the record of what was overwritten has more bytes beside key and value. */
export const UNDO_ENTRY_BYTES = 8;
/** Lists in which every log stands, and those for each topic. */
const LISTS_OF_LOG = 3;
/** A position may change a page of its table and one of its list. */
const PAGES_OF_POSITION = 2;

/** The most that storing blocks in one transaction writes. */
export function sizeOfBlocks(commits: readonly BlockCommit[]): CommitSize {
  const size = new CommitSize(TABLE_NAMES.length);
  for (const commit of commits) addSizeOfBlock(size, commit);
  return size;
}

function addSizeOfBlock(size: CommitSize, commit: BlockCommit): void {
  size.appended(1, POSITION_KEY_BYTES, commit.block.length);
  for (const { bytes } of commit.transactions) {
    size.appended(1, POSITION_KEY_BYTES, TRANSACTION_HEAD_BYTES + bytes.length);
  }
  for (const receipt of commit.receipts) {
    size.appended(1, POSITION_KEY_BYTES, OPERATION_HASH_BYTES + receipt.length);
  }
  const otherHashes = commit.otherHashes?.length ?? 0;
  size.scattered(commit.operationHashes.length + otherHashes, OPERATION_POSITION_BYTES, 0);
  for (const { topics } of commit.logs) {
    const positions = PAGES_OF_POSITION * (LISTS_OF_LOG + topics.length);
    size.scattered(positions, LIST_KEY_BYTES, LIST_POSITION_BYTES);
  }
  let undoBytes = UNDO_ENTRY_BYTES + otherHashes * (UNDO_ENTRY_BYTES + OPERATION_POSITION_BYTES);
  undoBytes += commit.payers.length * (UNDO_ENTRY_BYTES + COUNT_ENTRY_BYTES);
  const involved = commit.involved?.length ?? 0;
  size.scattered(involved, ADDRESS_OPERATION_KEY_BYTES, SENDER_COUNT_BYTES);
  undoBytes += involved * (UNDO_ENTRY_BYTES + ADDRESS_OPERATION_KEY_BYTES);
  undoBytes += addSizeOfState(size, commit.state);
  size.appended(1, UNDO_KEY_BYTES, undoBytes);
  size.scattered(2 * UNDO_PRUNED_TOGETHER, UNDO_KEY_BYTES, 0);
  size.scattered(1, COUNT_ENTRY_BYTES, commit.accumulator.length + (commit.genesis?.length ?? 0));
  size.scattered(commit.removedPending?.length ?? 0, SEQUENCE_BYTES, 0);
  size.scattered(commit.payers.length, COUNT_ENTRY_BYTES, 0);
}

/** Adds the most that changes of the state write. Returns the bytes of their entries in the undo record. */
export function addSizeOfState(size: CommitSize, state: readonly StateChange[]): number {
  let undoBytes = 0;
  for (const { key, before, after } of state) {
    size.scattered(1, 1 + key.length, after?.length ?? 0);
    undoBytes += UNDO_ENTRY_BYTES + key.length + (before?.length ?? 0);
  }
  return undoBytes;
}

/** The most that storing so many blocks without transactions writes. */
export function sizeOfEmptyBlocks(count: number): CommitSize {
  const size = new CommitSize(TABLE_NAMES.length);
  size.appended(count, POSITION_KEY_BYTES, BLOCK_HEADER_BYTES_MAX);
  size.appended(count, UNDO_KEY_BYTES, UNDO_ENTRY_BYTES);
  size.appended(count + 2 * UNDO_PRUNED_TOGETHER, UNDO_KEY_BYTES, 0);
  size.scattered(1, COUNT_ENTRY_BYTES, LATTICE_STATE_BYTES);
  return size;
}
