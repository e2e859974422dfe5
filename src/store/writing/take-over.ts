import { concatBytes } from '../../protocol/index.ts';
import { CommitSize } from '../file/commit-size.ts';
import type { Database } from '../file/database.ts';
import { putRestored } from '../reading/chain-snapshots.ts';
import { lastPatch } from '../reading/patches.ts';
import type { StoreReader } from '../store.ts';
import { encodeCount, positionKey } from '../tables/record-keys.ts';
import { META_KEY_BYTES } from '../tables/tables.ts';

/**
 * Takes over what the file of another store keeps beside its chain, of which this store has the blocks up to its head.
 *
 * @throws StoreError STORE_COMMIT_FAILED, and what the source throws; nothing is changed then
 */
export function takeOver(
  database: Database,
  source: StoreReader,
  { head, epoch }: { readonly head: number; readonly epoch: number },
): void {
  const patches = lastPatch(database, head);
  const snapshots = Array.from(source.chainSnapshots()).filter(
    (snapshot) => snapshot.block < head || (snapshot.block === head && snapshot.patches <= patches),
  );
  const newest = metaOf(source, META_KEY_BYTES.snapshot);
  const restored = source.restored();
  const size = new CommitSize(2);
  const openedWith = source.openedWith();
  size.scattered(3, openedWith?.length);
  size.scattered(1, restored?.bytes.length);
  for (const { bytes } of snapshots) size.appended(1, bytes.length);
  database.commit(size, () => {
    const meta = database.table('meta');
    meta.putSync(META_KEY_BYTES.epoch, encodeCount(Math.max(epoch, source.epoch()) + 1));
    if (openedWith !== undefined) meta.putSync(META_KEY_BYTES.openedWith, openedWith);
    if (newest !== undefined) meta.putSync(META_KEY_BYTES.snapshot, newest);
    if (restored !== undefined) putRestored(database, restored);
    const table = database.table('snapshots');
    for (const snapshot of snapshots) {
      const place = positionKey(snapshot.block, snapshot.patches);
      table.putSync(encodeCount(snapshot.id), concatBytes(place, snapshot.bytes));
    }
  });
}

/** An entry of what a store says of its file. */
function metaOf(source: StoreReader, name: Uint8Array): Uint8Array | undefined {
  for (const entry of source.tables()) {
    if (entry.table !== 'meta') return undefined;
    if (Buffer.compare(entry.key, name) === 0) return entry.value;
  }
  return undefined;
}
