import { concatBytes } from '../../protocol/index.ts';
import { StoreError } from '../errors.ts';
import { CommitSize } from '../file/commit-size.ts';
import type { Database } from '../file/database.ts';
import type { TableReading } from '../file/table-reading.ts';
import type { ChainSnapshot, Restored } from '../store.ts';
import { decodeCount, encodeCount, positionKey, readUint32 } from '../tables/keys.ts';
import { META_KEY_BYTES } from '../tables/tables.ts';
import { lastPatch } from './patches.ts';

/**
 * Bytes of the position in the chain in front of each snapshot, and of the reorganisation count in front of what was
 * restored.
 */
const PLACE_BYTES = 8;
const EPOCH_BYTES = 8;

/**
 * Adds a snapshot of the head.
 *
 * @returns its id
 * @throws StoreError STORE_WRONG_NUMBER, STORE_COMMIT_FAILED; then nothing is written.
 */
export function appendChainSnapshot(
  database: Database,
  bytes: Uint8Array,
  readHead: () => number | undefined,
): number {
  const size = new CommitSize(2);
  size.appended(1, bytes.length);
  size.scattered(1);
  return database.commit(size, () => {
    const head = readHead();
    if (head === undefined)
      throw new StoreError('STORE_WRONG_NUMBER', 'a store that has no blocks has no snapshots');
    const newest = database.get('meta', META_KEY_BYTES.snapshot);
    const id = encodeCount((newest === undefined ? 0 : decodeCount(newest)) + 1);
    database.table('meta').putSync(META_KEY_BYTES.snapshot, id);
    database.table('snapshots').putSync(id, concatBytes(positionKey(head, lastPatch(database, head)), bytes));
    return decodeCount(id);
  });
}

/** Reads the snapshot with an id; undefined where there is none. */
export function readChainSnapshot(tables: TableReading, id: number): ChainSnapshot | undefined {
  if (!Number.isSafeInteger(id) || id < 0) return undefined;
  const record = tables.get('snapshots', encodeCount(id));
  return record && snapshotOf(id, record);
}

/** Reads all snapshots, oldest first. */
export function* readChainSnapshots(tables: TableReading): Generator<ChainSnapshot> {
  for (const { key, value } of tables.entries('snapshots', {})) yield snapshotOf(decodeCount(key), value);
}

/** Returns the ids of the chosen snapshots, newest first, down to the first one that is not chosen. */
export function newestSnapshots(
  tables: TableReading,
  isChosen: (snapshot: Omit<ChainSnapshot, 'bytes'>) => boolean,
): number[] {
  const ids: number[] = [];
  for (const { key, value } of tables.entries('snapshots', { reverse: true })) {
    const snapshot = snapshotOf(decodeCount(key), value);
    if (!isChosen(snapshot)) break;
    ids.push(snapshot.id);
  }
  return ids;
}

/** Removes snapshots, inside a commit. */
export function removeChainSnapshots(database: Database, ids: readonly number[]): void {
  const table = database.table('snapshots');
  for (const id of ids) table.removeSync(encodeCount(id));
}

/** Reads what the newest return to a snapshot restored; undefined where there is nothing. */
export function readRestored(tables: TableReading): Restored | undefined {
  const record = tables.get('meta', META_KEY_BYTES.restored);
  if (record === undefined) return undefined;
  return { reorgCount: decodeCount(record.subarray(0, EPOCH_BYTES)), bytes: record.slice(EPOCH_BYTES) };
}

/** Keeps what was restored with a reorganisation count, inside a commit. */
export function putRestored(database: Database, { reorgCount, bytes }: Restored): void {
  database.table('meta').putSync(META_KEY_BYTES.restored, concatBytes(encodeCount(reorgCount), bytes));
}

function snapshotOf(id: number, record: Uint8Array): ChainSnapshot {
  const [block, patches] = [readUint32(record, 0), readUint32(record, 4)];
  return { id, block, patches, bytes: record.subarray(PLACE_BYTES) };
}
