import { CommitSize } from '../file/commit-size.ts';
import type { Database } from '../file/database.ts';
import type { TableReading } from '../file/table-reading.ts';
import type { PendingRecord, SidecarRecord } from '../store.ts';
import { decodeCount, encodeCount } from '../tables/keys.ts';
import { putSidecar } from './sidecars.ts';

/** A pending transaction to store, and the others that leave with it. */
export interface PendingAddition extends PendingRecord {
  readonly removed: readonly number[];
  readonly sidecar: SidecarRecord | undefined;
}

/** Stores pending transactions in one commit, in their order. */
export function appendPending(database: Database, additions: readonly PendingAddition[]): void {
  const size = new CommitSize(additions.some(({ sidecar }) => sidecar !== undefined) ? 2 : 1);
  for (const { bytes, removed, sidecar } of additions) {
    size.scattered(removed.length);
    size.appended(1, bytes.length);
    if (sidecar !== undefined) size.scattered(1, sidecar.bytes.length);
  }
  database.commit(size, () => {
    for (const { sequence, bytes, removed, sidecar } of additions) {
      database.table('pending').putSync(encodeCount(sequence), bytes);
      removePending(database, removed);
      if (sidecar !== undefined) putSidecar(database, sidecar);
    }
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
