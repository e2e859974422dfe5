import { join } from 'node:path';
import { type Database, open } from 'lmdb';

/** A table of a chain's database file, past everything that guards it. */
export type RawTable = Database<Uint8Array, Uint8Array>;

/**
 * Changes one table of a closed chain behind the store's back.
 * @param table its name in the database file, such as `3-blocks`
 */
export async function changeTable(
  dataDir: string,
  table: string,
  change: (table: RawTable) => void,
): Promise<void> {
  const options = { keyEncoding: 'binary', encoding: 'binary' } as const;
  const lists = table === '8-logs' ? ({ dupSort: true, dupFixed: true } as const) : {};
  const root = open<Uint8Array, Uint8Array>({
    ...options,
    path: join(dataDir, 'ledger', 'ledger.mdb'),
    noSubdir: true,
    maxDbs: 20,
    overlappingSync: false,
  });
  const opened = root.openDB<Uint8Array, Uint8Array>(table, { ...options, ...lists });
  root.transactionSync(() => change(opened));
  await root.close();
}

/** Changes one byte of the value of an entry; of those that begin with `prefix` the first. */
export function flipByte(table: RawTable, prefix: readonly number[], offset: number): void {
  for (const { key, value } of table.getRange({ start: Uint8Array.from(prefix), limit: 1 })) {
    const changed = Uint8Array.from(value);
    const index = offset < 0 ? changed.length + offset : offset;
    changed[index] = (changed[index] ?? 0) ^ 1;
    table.putSync(Uint8Array.from(key), changed);
  }
}
