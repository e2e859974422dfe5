import { concatBytes, readUint32 } from '../../protocol/index.ts';
import { CommitSize } from '../file/commit-size.ts';
import type { Database } from '../file/database.ts';
import { lastPatch, readHead, type TableReading } from '../file/table-reading.ts';
import type { ChainSnapshot, Restored } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { decodeCount, encodeCount, positionKey } from '../tables/keys.ts';
import { META_KEY_BYTES } from '../tables/tables.ts';

/** Bytes of the block number and the number of patches before the rest of each snapshot. */
const POSITION_BYTES = 8;
/** Bytes of the reorganisation count before the data of a restored snapshot. */
const REORG_COUNT_BYTES = 8;

/** Implements `Store.addChainSnapshot`. */
export function appendChainSnapshot(database: Database, bytes: Uint8Array): number {
  const size = new CommitSize(2);
  size.appended(1, bytes.length);
  size.scattered(1);
  return database.commit(size, () => {
    const head = readHead(database);
    if (head === undefined)
      throw new StoreError('STORE_WRONG_NUMBER', 'a store that has no blocks has no snapshots');
    const id = decodeCount(database.get('meta', META_KEY_BYTES.snapshot)) + 1;
    database.table('meta').putSync(META_KEY_BYTES.snapshot, encodeCount(id));
    putChainSnapshot(database, { id, block: head, patches: lastPatch(database, head), bytes });
    return id;
  });
}

/** Writes a snapshot, inside a commit. */
export function putChainSnapshot(database: Database, { id, block, patches, bytes }: ChainSnapshot): void {
  database.table('snapshots').putSync(encodeCount(id), concatBytes(positionKey(block, patches), bytes));
}

/** Reads the snapshot with an id; undefined for none. */
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

/** Reads the record of the newest restored snapshot; undefined for none. */
export function readRestored(tables: TableReading): Restored | undefined {
  const record = tables.get('meta', META_KEY_BYTES.restored);
  if (record === undefined) return undefined;
  const reorgCount = decodeCount(record.subarray(0, REORG_COUNT_BYTES));
  return { reorgCount, bytes: record.slice(REORG_COUNT_BYTES) };
}

/** Writes the record of a restored snapshot, inside a commit. */
export function putRestored(database: Database, { reorgCount, bytes }: Restored): void {
  database.table('meta').putSync(META_KEY_BYTES.restored, concatBytes(encodeCount(reorgCount), bytes));
}

function snapshotOf(id: number, record: Uint8Array): ChainSnapshot {
  const block = readUint32(record, 0);
  const patches = readUint32(record, 4);
  return { id, block, patches, bytes: record.subarray(POSITION_BYTES) };
}
