import type { TableReading } from '../file/table-reading.ts';
import type { PendingRecord } from '../store.ts';
import { decodeCount } from '../tables/keys.ts';

/** Returns the sequence after those of all pending transactions. */
export function nextSequence(tables: TableReading): number {
  const last = tables.firstKey('pending', { reverse: true });
  return last === undefined ? 0 : decodeCount(last) + 1;
}

/** Reads the pending transactions, by sequence. */
export function* readPending(tables: TableReading): Generator<PendingRecord> {
  for (const { key, value } of tables.entries('pending', {})) {
    yield { sequence: decodeCount(key), bytes: value };
  }
}
