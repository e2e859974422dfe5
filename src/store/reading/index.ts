/** Reads of a snapshot of the file. */

export {
  appendChainSnapshot,
  newestSnapshots,
  removeChainSnapshots,
  SNAPSHOT_KEY_BYTES,
} from './chain-snapshots.ts';
export { LmdbReader, type LmdbReaderParts } from './lmdb-reader.ts';
export { LmdbView } from './lmdb-view.ts';
export { lastPatch } from './patches.ts';
export {
  appendPending,
  nextSequence,
  readPending,
  removePending,
  replacePending,
  SEQUENCE_BYTES,
} from './pending.ts';
export { decodeTransaction, encodeTransaction } from './transaction-record.ts';
