/** Reads of a snapshot of the file. */

export { LmdbReader, type LmdbReaderParts } from './lmdb-reader.ts';
export { LmdbView } from './lmdb-view.ts';
export { lastPatch } from './patches.ts';
export { appendPending, nextSequence, removePending, SEQUENCE_BYTES } from './pending.ts';
export { encodeTransaction } from './transaction-record.ts';
