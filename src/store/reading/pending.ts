import { CommitSize } from '../file/commit-size.ts';
import type { Database } from '../file/database.ts';
import type { TableReading } from '../file/table-reading.ts';
import type { PendingRecord, SidecarRecord } from '../store.ts';
import { decodeCount, encodeCount } from '../tables/keys.ts';
import { putSidecar } from './sidecars.ts';

/** Implements `Store.addPending`, with a sequence of at least `least`. */
export function appendPending(
  database: Database,
  bytes: Uint8Array,
  removed: readonly number[],
  least: number,
  sidecar?: SidecarRecord,
): number {
  const size = new CommitSize(sidecar === undefined ? 1 : 2);
  size.scattered(removed.length);
  size.appended(1, bytes.length);
  if (sidecar !== undefined) size.scattered(1, sidecar.bytes.length);
  return database.commit(size, () => {
    const sequence = Math.max(least, nextSequence(database));
    database.table('pending').putSync(encodeCount(sequence), bytes);
    removePending(database, removed);
    if (sidecar !== undefined) putSidecar(database, sidecar);
    return sequence;
  });
}

/** Returns the sequence after those of all pending transactions. */
export function nextSequence(tables: TableReading): number {
  const last = tables.firstKey('pending', { reverse: true });
  return last === undefined ? 0 : decodeCount(last) + 1;
}

/** Removes pending transactions, inside a commit. */
export function removePending(database: Database, sequences: readonly number[]): void {
  const table = database.table('pending');
  for (const sequence of sequences) table.removeSync(encodeCount(sequence));
}

/** Replaces all pending transactions, inside a commit. */
export function replacePending(database: Database, records: readonly PendingRecord[]): void {
  removePending(
    database,
    Array.from(readPending(database), ({ sequence }) => sequence),
  );
  const table = database.table('pending');
  for (const { sequence, bytes } of records) table.putSync(encodeCount(sequence), bytes);
}

/** Reads the pending transactions, by sequence. */
export function* readPending(tables: TableReading): Generator<PendingRecord> {
  for (const { key, value } of tables.entries('pending', {})) {
    yield { sequence: decodeCount(key), bytes: value };
  }
}
