/** Commits: a block with all that belongs to it, in one write. */

export { LmdbStore } from './lmdb-store.ts';
