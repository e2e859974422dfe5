import { equalBytes } from '../../protocol/index.ts';
import { CommitSize } from '../file/commit-size.ts';
import type { Database } from '../file/database.ts';
import type { TableReading } from '../file/table-reading.ts';
import { readPending } from '../reading/pending.ts';
import type { PendingRecord, SidecarRecord } from '../store.ts';
import { encodeCount } from '../tables/keys.ts';
import { putSidecar } from './write-sidecars.ts';

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

/** Removes pending transactions, inside a commit. */
export function removePending(database: Database, sequences: readonly number[]): void {
  const table = database.table('pending');
  for (const sequence of sequences) table.removeSync(encodeCount(sequence));
}

/** A change of the stored pending transactions. */
export interface PendingChange {
  readonly removed: readonly number[];
  readonly added: readonly PendingRecord[];
}

/** Returns the change that replaces all stored pending transactions: equal ones stay. */
export function replacingPending(tables: TableReading, records: readonly PendingRecord[]): PendingChange {
  const added = new Map(records.map((record) => [record.sequence, record]));
  const removed: number[] = [];
  for (const { sequence, bytes } of readPending(tables)) {
    const record = added.get(sequence);
    if (record !== undefined && equalBytes(record.bytes, bytes)) added.delete(sequence);
    else removed.push(sequence);
  }
  return { removed, added: [...added.values()] };
}

/** Changes the pending transactions, inside a commit. */
export function changePending(database: Database, { removed, added }: PendingChange): void {
  removePending(database, removed);
  const table = database.table('pending');
  for (const { sequence, bytes } of added) table.putSync(encodeCount(sequence), bytes);
}
