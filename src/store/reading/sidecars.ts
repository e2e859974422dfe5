import { concatBytes, type Hash, readUint32, toHash, writeUint32 } from '../../protocol/index.ts';
import type { TableReading } from '../file/table-reading.ts';

const HASH_BYTES = 32;
/** Bytes of the length in a key, which lists sidecars without reading their pages. */
const LENGTH_BYTES = 4;

/** Returns the key of a sidecar of a length. */
export function sidecarKey(hash: Hash, length: number): Uint8Array {
  const key = new Uint8Array(HASH_BYTES + LENGTH_BYTES);
  key.set(hash);
  writeUint32(key, HASH_BYTES, length);
  return key;
}

/** Returns the stored key of a transaction's sidecar; undefined for none. */
export function findSidecarKey(tables: TableReading, hash: Hash): Uint8Array | undefined {
  return tables.firstKey('sidecars', { start: hash, end: sidecarKey(hash, 0xffff_ffff) });
}

/** Implements `StoreReader.sidecar`. */
export function readSidecar(tables: TableReading, hash: Hash): Uint8Array | undefined {
  const key = findSidecarKey(tables, hash);
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
