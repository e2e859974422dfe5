import { CommitSize } from '../file/commit-size.ts';
import type { Database } from '../file/database.ts';
import { putRestored } from '../reading/chain-snapshots.ts';
import type { StoreReader } from '../store.ts';
import { encodeCount } from '../tables/record-keys.ts';
import { META_KEY_BYTES, META_KEYS, TABLE_NAMES } from '../tables/tables.ts';

/** What a file keeps of its own, whichever chain it holds. */
const OF_FILE: ReadonlySet<string> = new Set([
  ...[META_KEYS.format, META_KEYS.history, META_KEYS.epoch, META_KEYS.snapshot, META_KEYS.restored],
]);

/** The records of a file beside the chain that it gets. */
interface ReplacedFacts {
  readonly epoch: number;
  readonly openedWith: Uint8Array | undefined;
  readonly restored: Uint8Array | undefined;
}

/**
 * Puts all that another store holds in the place of what this one does, in one transaction. The epoch rises, and no id
 * of a snapshot comes again.
 *
 * @param source has the same choice about history
 * @param facts the epoch from then on, the id of the chain that the file was opened for, and what is restored
 * @throws StoreError STORE_COMMIT_FAILED, and what the source throws; nothing is changed then
 */
export function replaceChain(
  database: Database,
  source: StoreReader,
  { epoch, openedWith, restored }: ReplacedFacts,
): void {
  const size = new CommitSize();
  size.scattered(2, openedWith?.length);
  size.scattered(1, restored?.length);
  for (const { value } of source.tables()) size.appended(1, value.length);
  database.commit(size, () => {
    for (const name of TABLE_NAMES) if (name !== 'meta') database.table(name).clearSync();
    const meta = database.table('meta');
    for (const key of Array.from(meta.getKeys({}), (shared) => shared.slice())) {
      if (!OF_FILE.has(nameOf(key))) meta.removeSync(key);
    }
    for (const { table, key, value } of source.tables()) {
      if (table !== 'meta' || !OF_FILE.has(nameOf(key))) database.table(table).putSync(key, value);
    }
    meta.putSync(META_KEY_BYTES.epoch, encodeCount(epoch));
    if (restored !== undefined) putRestored(database, { epoch, bytes: restored });
    if (openedWith !== undefined) meta.putSync(META_KEY_BYTES.openedWith, openedWith);
  });
}

function nameOf(key: Uint8Array): string {
  return Buffer.from(key).toString('latin1');
}
