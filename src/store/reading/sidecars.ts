import { concatBytes, type Hash, readUint32, toHash, writeUint32 } from '../../protocol/index.ts';
import { CommitSize } from '../file/commit-size.ts';
import type { Database } from '../file/database.ts';
import type { TableReading } from '../file/table-reading.ts';
import type { SidecarRecord, StoreReader } from '../store.ts';

const HASH_BYTES = 32;
/** Bytes of the length in a key, which lists sidecars without reading their pages. */
const LENGTH_BYTES = 4;

function keyOf(hash: Hash, length: number): Uint8Array {
  const key = new Uint8Array(HASH_BYTES + LENGTH_BYTES);
  key.set(hash);
  writeUint32(key, HASH_BYTES, length);
  return key;
}

/** Returns the stored key of a transaction's sidecar; undefined for none. */
function findKey(tables: TableReading, hash: Hash): Uint8Array | undefined {
  return tables.firstKey('sidecars', { start: hash, end: keyOf(hash, 0xffff_ffff) });
}

/** Implements `StoreReader.sidecar`. */
export function readSidecar(tables: TableReading, hash: Hash): Uint8Array | undefined {
  const key = findKey(tables, hash);
  return key && tables.get('sidecars', key);
}

/** Implements `StoreReader.sidecars`, with a look-up for each. */
export function* listSidecars(tables: TableReading): Generator<{ hash: Hash; length: number }> {
  let key = tables.firstKey('sidecars', {});
  while (key !== undefined) {
    yield { hash: toHash(key.slice(0, HASH_BYTES)), length: readUint32(key, HASH_BYTES) };
    key = tables.firstKey('sidecars', { start: concatBytes(key, Uint8Array.of(0)) });
  }
}

/** Writes a sidecar, inside a commit. */
export function putSidecar(database: Database, { hash, bytes }: SidecarRecord): void {
  database.table('sidecars').putSync(keyOf(hash, bytes.length), bytes);
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
  const keys = hashes.flatMap((hash) => findKey(database, hash) ?? []);
  if (keys.length === 0) return;
  const size = new CommitSize(1);
  size.scattered(keys.length);
  database.commit(size, () => {
    for (const key of keys) database.table('sidecars').removeSync(key);
  });
}
