import { equalBytes, readUint32, writeUint32 } from '../../protocol/index.ts';
import { StoreError } from '../store-error.ts';
import {
  databaseName,
  FORMAT_VERSION,
  META_KEY_BYTES,
  TABLE_NAMES,
  type TableName,
} from '../tables/tables.ts';
import { BINARY, type DatabaseRoot } from './opened-file.ts';

const text = new TextEncoder();

/** Returns the record of the current version. */
export function formatRecord(): Uint8Array {
  const record = new Uint8Array(4);
  writeUint32(record, 0, FORMAT_VERSION);
  return record;
}

/**
 * Checks the version of a store; a migration of an earlier one would begin here. Returns true for a store that was
 * created with history, and undefined for a file without tables.
 *
 * @throws StoreError STORE_FOREIGN, STORE_NEWER_FORMAT, STORE_OLDER_FORMAT or STORE_UNREADABLE
 */
export function readFormat(root: DatabaseRoot, file: string): boolean | undefined {
  if (root.getKeysCount({ limit: 1 }) === 0) return undefined;
  const meta = hasTable(root, 'meta')
    ? root.openDB<Uint8Array, Uint8Array>(databaseName('meta'), BINARY)
    : undefined;
  const format = meta?.get(META_KEY_BYTES.format);
  if (meta === undefined || format === undefined) {
    throw new StoreError('STORE_FOREIGN', `${file} is a database of another program`);
  }
  const version = readUint32(format, 0);
  if (version > FORMAT_VERSION) {
    throw new StoreError(
      'STORE_NEWER_FORMAT',
      `${file} has format ${version}; this version of the program knows formats up to ${FORMAT_VERSION}`,
    );
  }
  if (version < FORMAT_VERSION) {
    throw new StoreError(
      'STORE_OLDER_FORMAT',
      `${file} has format ${version}; this version of the program reads formats from ${FORMAT_VERSION} on`,
    );
  }
  const missing = TABLE_NAMES.find((name) => !hasTable(root, name));
  if (missing !== undefined) throw new StoreError('STORE_UNREADABLE', `${file} lacks the table ${missing}`);
  return equalBytes(meta.get(META_KEY_BYTES.history) ?? new Uint8Array(), Uint8Array.of(1));
}

/** Returns true if a table exists: the root has the name of each, with a zero byte at its end. */
function hasTable(root: DatabaseRoot, name: TableName): boolean {
  return root.doesExist(text.encode(`${databaseName(name)}\0`));
}
