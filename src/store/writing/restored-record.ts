import { concatBytes } from '../../protocol/index.ts';
import type { CommitSize } from '../file/commit-size.ts';
import type { Database } from '../file/database.ts';
import { encodeCount } from '../tables/record-keys.ts';
import { META_KEY_BYTES } from '../tables/tables.ts';

/** Bytes of the epoch in front of the record. */
const EPOCH_BYTES = 8;

/** Adds what a record of this content comes to. */
export function sizeOfRestored(size: CommitSize, bytes: Uint8Array | undefined): void {
  if (bytes !== undefined) size.scattered(1, META_KEY_BYTES.restored.length, EPOCH_BYTES + bytes.length);
}

/** Keeps what came back with this epoch, inside a commit. */
export function putRestored(database: Database, epoch: number, bytes: Uint8Array): void {
  database.table('meta').putSync(META_KEY_BYTES.restored, concatBytes(encodeCount(epoch), bytes));
}
