import type { Hash } from '../../protocol/index.ts';
import { CommitSize } from '../file/commit-size.ts';
import type { Database } from '../file/database.ts';
import { findSidecarKey, sidecarKey } from '../reading/sidecars.ts';
import type { SidecarRecord, StoreReader } from '../store.ts';

/** Writes a sidecar, inside a commit. */
export function putSidecar(database: Database, { hash, bytes }: SidecarRecord): void {
  database.table('sidecars').putSync(sidecarKey(hash, bytes.length), bytes);
}

/** Copies the sidecars of another store, each in its commit, since they may be large together. */
export function copySidecars(source: Pick<StoreReader, 'sidecars' | 'sidecar'>, database: Database): void {
  for (const { hash } of source.sidecars()) {
    const bytes = source.sidecar(hash);
    if (bytes === undefined) continue;
    const size = new CommitSize(1);
    size.scattered(1, bytes.length);
    database.commit(size, () => putSidecar(database, { hash, bytes }));
  }
}

/** Implements `Store.removeSidecars`. */
export function removeSidecars(database: Database, hashes: readonly Hash[]): void {
  const keys = hashes.flatMap((hash) => findSidecarKey(database, hash) ?? []);
  if (keys.length === 0) return;
  const size = new CommitSize(1);
  size.scattered(keys.length);
  database.commit(size, () => {
    for (const key of keys) database.table('sidecars').removeSync(key);
  });
}
