import { CommitSize } from '../file/commit-size.ts';
import type { Database } from '../file/database.ts';
import type { TableReading } from '../file/table-reading.ts';
import type { PendingRecord } from '../store.ts';
import { decodeCount, encodeCount } from '../tables/keys.ts';

/**
 * Adds a transaction behind all pending ones.
 *
 * @param leaving sequences of others, which are removed
 * @param least its sequence unless there is a greater one
 * @returns its sequence
 * @throws StoreError STORE_COMMIT_FAILED; then nothing is written.
 */
export function appendPending(
  database: Database,
  bytes: Uint8Array,
  leaving: readonly number[],
  least: number,
): number {
  const size = new CommitSize(1);
  size.scattered(leaving.length);
  size.appended(1, bytes.length);
  return database.commit(size, () => {
    const sequence = Math.max(least, nextSequence(database));
    database.table('pending').putSync(encodeCount(sequence), bytes);
    removePending(database, leaving);
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
  const table = database.table('pending');
  const before = Array.from(readPending(database), ({ sequence }) => sequence);
  removePending(database, before);
  for (const { sequence, bytes } of records) table.putSync(encodeCount(sequence), bytes);
}

/** Reads the pending transactions, by sequence. */
export function* readPending(tables: TableReading): Generator<PendingRecord> {
  for (const { key, value } of tables.entries('pending', {})) {
    yield { sequence: decodeCount(key), bytes: value };
  }
}
