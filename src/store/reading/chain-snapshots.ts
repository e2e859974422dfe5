import { concatBytes } from '../../protocol/index.ts';
import { StoreError } from '../errors.ts';
import { CommitSize } from '../file/commit-size.ts';
import type { Database } from '../file/database.ts';
import type { TableReading } from '../file/table-reading.ts';
import type { ChainSnapshot } from '../snapshots.ts';
import { decodeCount, encodeCount, positionKey, readUint32 } from '../tables/record-keys.ts';
import { META_KEY_BYTES } from '../tables/tables.ts';
import { lastPatch } from './patches.ts';

/** Bytes of the key of a snapshot. */
export const SNAPSHOT_KEY_BYTES = 8;

/** Bytes of the place in the chain in front of each record. */
const PLACE_BYTES = 8;

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
  size.appended(1, SNAPSHOT_KEY_BYTES, PLACE_BYTES + bytes.length);
  size.scattered(1, META_KEY_BYTES.snapshot.length, SNAPSHOT_KEY_BYTES);
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

/** The snapshot with an id; undefined where there is none. */
export function readChainSnapshot(tables: TableReading, id: number): ChainSnapshot | undefined {
  if (!Number.isSafeInteger(id) || id < 0) return undefined;
  const record = tables.get('snapshots', encodeCount(id));
  return record && snapshotOf(id, record);
}

/** Oldest first. */
export function* readChainSnapshots(tables: TableReading): Generator<ChainSnapshot> {
  for (const { key, value } of tables.entries('snapshots', {})) yield snapshotOf(decodeCount(key), value);
}

/** The ids of the newest snapshots that are chosen, newest first, down to the first one that is not. */
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

/** Takes snapshots away, inside a commit. */
export function removeChainSnapshots(database: Database, ids: readonly number[]): void {
  const table = database.table('snapshots');
  for (const id of ids) table.removeSync(encodeCount(id));
}

function snapshotOf(id: number, record: Uint8Array): ChainSnapshot {
  const [block, patches] = [readUint32(record, 0), readUint32(record, 4)];
  return { id, block, patches, bytes: record.subarray(PLACE_BYTES) };
}
