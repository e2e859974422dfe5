/** Commits: a block with all that belongs to it, in one write. */

export { indexStored } from './index-stored.ts';
export { LmdbStore } from './lmdb-store.ts';
export { WriteBehindStore } from './write-behind-store.ts';
