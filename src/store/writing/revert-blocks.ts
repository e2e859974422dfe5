import { type OperationHash, toOperationHash } from '../../protocol/index.ts';
import { StoreError } from '../errors.ts';
import { CommitSize, type Database } from '../file/index.ts';
import { encodePosition, listsOf } from '../logs/index.ts';
import {
  lastPatch,
  newestSnapshots,
  readPending,
  removeChainSnapshots,
  replacePending,
  SEQUENCE_BYTES,
  SNAPSHOT_KEY_BYTES,
} from '../reading/index.ts';
import type { Reversion } from '../store.ts';
import {
  afterPrefix,
  blockKey,
  decodeCount,
  encodeCount,
  isBlockNumber,
  META_KEYS,
  operationPositionKey,
  positionKey,
  readUint32,
  TABLE_NAMES,
} from '../tables/index.ts';
import { readUndo, setUndoStart, undoKey, undoStart } from '../undo/index.ts';

/** Bytes of the operation hash in front of each receipt. */
const HASH_BYTES = 20;
/** No key of these tables is longer. */
const KEY_BYTES = 64;
/** Lists in which every log stands beside those for each topic. */
const LISTS_OF_LOG = 3;
/** A position may change a page of its table and one of its list. */
const PAGES_OF_POSITION = 2;

/** Stands in the place of a patch's sequence: the block itself. */
const OF_BLOCK = 0;

const ACCUMULATOR_KEY = new TextEncoder().encode(META_KEYS.accumulator);
const EPOCH_KEY = new TextEncoder().encode(META_KEYS.epoch);

/**
 * Takes the newest blocks back, in one transaction: everything is as it was before they were stored, but for the
 * transactions that wait, and for the epoch, which rises. Snapshots of these blocks go as well.
 *
 * @throws StoreError STORE_WRONG_NUMBER, STORE_NOT_KEPT, STORE_UNREADABLE or STORE_COMMIT_FAILED, and what the
 *   reversion throws; nothing is changed then
 */
export function revertBlocks(
  database: Database,
  reversion: Reversion,
  readHead: () => number | undefined,
): void {
  const head = readHead();
  checkTarget(database, reversion, head);
  database.commit(sizeOfReversion(database, reversion, head), () => {
    for (let block = head; block >= reversion.to; block -= 1) {
      removePatches(database, block, reversion);
      if (block === reversion.to) break;
      removeLogs(database, block, reversion);
      restoreOverwritten(database, block, OF_BLOCK, reversion);
      removeRecords(database, block);
    }
    removeChainSnapshots(database, snapshotsOf(database, reversion));
    if (reversion.pending !== undefined) replacePending(database, reversion.pending);
    const start = undoStart(database);
    if (start !== undefined && start > reversion.to) setUndoStart(database, undefined);
    const meta = database.table('meta');
    meta.putSync(ACCUMULATOR_KEY, reversion.accumulator());
    const epoch = meta.get(EPOCH_KEY);
    meta.putSync(EPOCH_KEY, encodeCount((epoch === undefined ? 0 : decodeCount(epoch)) + 1));
  });
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
  throw new StoreError('STORE_WRONG_NUMBER', `a store that ${found} can't be taken back to block ${to}`);
}

/** The most that taking blocks back writes. */
function sizeOfReversion(database: Database, reversion: Reversion, head: number): CommitSize {
  const { to, logsOf, pending } = reversion;
  const size = new CommitSize(TABLE_NAMES.length);
  size.scattered(snapshotsOf(database, reversion).length, SNAPSHOT_KEY_BYTES, 0);
  if (pending !== undefined) {
    for (const _ of readPending(database)) size.scattered(1, SEQUENCE_BYTES, 0);
    for (const { bytes } of pending) size.appended(1, SEQUENCE_BYTES, bytes.length);
  }
  const addRecord = (block: number, sequence: number): void => {
    const { count, bytes } = readUndo(database, block, sequence);
    size.scattered(2 + count, KEY_BYTES, 0);
    // The values that come back, as long as they may be.
    size.appended(1, 0, bytes.length);
  };
  size.scattered(2, KEY_BYTES, 0);
  for (let block = head; block >= to; block -= 1) {
    for (const sequence of patchesToRemove(database, block, reversion)) addRecord(block, sequence);
    if (block === to) break;
    addRecord(block, OF_BLOCK);
    const receipts = operationsOf(database, block).length;
    size.scattered(1 + 3 * receipts, KEY_BYTES, 0);
    for (const { topics } of logsOf(block)) {
      size.scattered(PAGES_OF_POSITION * (LISTS_OF_LOG + topics.length), KEY_BYTES, 0);
    }
  }
  return size;
}

/** The sequences of the patches after a block that are taken back, the newest first. */
function patchesToRemove(database: Database, block: number, { to, patches = 0 }: Reversion): number[] {
  const kept = block === to ? patches : 0;
  const last = lastPatch(database, block);
  return Array.from({ length: Math.max(0, last - kept) }, (_, index) => last - index);
}

function removePatches(database: Database, block: number, reversion: Reversion): void {
  for (const sequence of patchesToRemove(database, block, reversion)) {
    restoreOverwritten(database, block, sequence, reversion);
    database.table('patches').removeSync(positionKey(block, sequence));
  }
}

function restoreOverwritten(
  database: Database,
  block: number,
  sequence: number,
  { onChange }: Reversion,
): void {
  for (const { table: name, key, before } of readUndo(database, block, sequence).entries()) {
    const table = database.table(name);
    if (name === 'state') onChange({ key, before: database.get('state', key), after: before });
    if (before === undefined) table.removeSync(key);
    else table.putSync(key, before);
  }
  database.table('blocks').removeSync(undoKey(block, sequence));
}

function removeLogs(database: Database, block: number, { logsOf }: Reversion): void {
  const table = database.table('logs');
  for (const log of logsOf(block)) {
    const position = encodePosition({ block, operation: log.operation, offset: log.offset });
    for (const list of listsOf(log)) table.removeSync(list, position);
  }
}

function removeRecords(database: Database, block: number): void {
  const positions = database.table('operationPositions');
  const receipts = database.table('receipts');
  for (const [index, hash] of operationsOf(database, block).entries()) {
    positions.removeSync(operationPositionKey(hash, block, index));
    receipts.removeSync(positionKey(block, index));
  }
  const transactions = database.table('transactions');
  const starts = [...database.entries('transactions', rangeOf(block))].map(({ key }) => readUint32(key, 4));
  for (const start of starts) transactions.removeSync(positionKey(block, start));
  database.table('blocks').removeSync(blockKey(block));
}

/** The ids of the snapshots that go. */
function snapshotsOf(database: Database, { to, patches: kept = 0, snapshotsFrom }: Reversion): number[] {
  return newestSnapshots(database, ({ id, block, patches }) => {
    const isTakenBack = block > to || (block === to && patches > kept);
    return isTakenBack || id >= (snapshotsFrom ?? Number.POSITIVE_INFINITY);
  });
}

/** The hashes of a block's operations. */
function operationsOf(database: Database, block: number): OperationHash[] {
  return Array.from(database.entries('receipts', rangeOf(block)), ({ value }) =>
    toOperationHash(value.slice(0, HASH_BYTES)),
  );
}

/** What is keyed by a block's number first of all. */
function rangeOf(block: number): { readonly start: Uint8Array; readonly end?: Uint8Array } {
  const start = blockKey(block);
  const end = afterPrefix(start);
  return end === undefined ? { start } : { start, end };
}
