import { ForkState, forkPointIn } from '../fork/index.ts';
import { type Genesis, remoteOriginOf, storedGenesis } from '../ledger/index.ts';
import { equalBytes } from '../protocol/index.ts';
import { openStoreForReading, StoreError, type StoreReader } from '../store/index.ts';
import type { Closers } from './closers.ts';
import { type DataFolder, dataFolderAt, isThere } from './data-folder.ts';
import { lockFolder } from './folder-lock.ts';
import { hasChain } from './genesis-file.ts';
import { DataFolderError } from './node-errors.ts';

/** Newest blocks whose undo records a node stores; test mode stores those of all blocks. */
export const UNDO_BLOCKS_DEFAULT = 1_024;

/** Progress and cancellation of a long job. */
export interface JobControl {
  /** Once aborted, the job stops where it leaves everything consistent. */
  readonly stop: AbortSignal;
  /** Called often; a job of several steps restarts with another unit. @param total undefined: unknown */
  onProgress(unit: 'blocks' | 'entries' | 'bytes', done: number, total: number | undefined): void;
}

/** The kind of a chain: that of test mode, or of a persistent node with a genesis file. */
export type ChainKind = 'test' | 'node';

/** Returns the default number of blocks with undo records. */
export function undoBlocksOf(kind: ChainKind): number {
  return kind === 'test' ? Number.POSITIVE_INFINITY : UNDO_BLOCKS_DEFAULT;
}

/** The chain of a data folder, open for reading, and the number of its newest block at that time. */
export type StoredChain = ReturnType<typeof openStoredChain>;

/** Opens the chain of a folder for reading, even in use. @throws DataFolderError without a chain, StoreError */
export function openStoredChain(path: string, closers: Closers) {
  const folder = dataFolderAt(path);
  if (!hasChain(folder)) throw noChain(folder);
  const store = openStoreForReading(folder.store);
  closers.add(() => store.close());
  const head = store.head();
  const genesis = storedGenesis(store);
  if (head === undefined || genesis === undefined) throw noChain(folder);
  const kind: ChainKind = isThere(folder.genesis) ? 'node' : 'test';
  return { folder, kind, store, genesis, head, fork: openStoredFork(folder, genesis, closers) };
}

/**
 * Opens the remote state of a fork, as far as it was fetched; returns undefined for a chain that is no fork.
 * @throws DataFolderError if it is missing, StoreError
 */
function openStoredFork({ path, forks }: DataFolder, genesis: Genesis, closers: Closers) {
  const block = remoteOriginOf(genesis);
  if (block === undefined) return undefined;
  for (const folder of forks) {
    const store = openEntries(folder);
    if (store === undefined) continue;
    closers.add(() => store.close());
    const point = pointOf(store);
    if (point !== undefined && equalBytes(point.hash, block.hash))
      return { store, base: new ForkState(store), point };
  }
  throw new DataFolderError(
    'unusable',
    `${path} lacks the remote entries of block ${block.number}, from which its chain continues: repeat this if its ` +
      'node replaced the chain meanwhile (hardhat_reset), else restore a backup',
  );
}

/** Opens the entries of a folder for reading; returns undefined without any, and creates nothing. @throws StoreError */
export function openEntries(folder: string): StoreReader | undefined {
  try {
    return openStoreForReading(folder);
  } catch (error) {
    // A start may have been killed before the store had its first entry.
    if (error instanceof StoreError && error.code === 'STORE_MISSING') return undefined;
    throw error;
  }
}

/** Returns the fork point of a store; undefined for an empty one. @throws DecodeError */
export function pointOf(store: StoreReader) {
  const record = store.genesis();
  return record && forkPointIn(record);
}

/** Locks a folder with a chain until the closers release it. @throws DataFolderError without a chain, or in use */
export async function lockChainFolder(path: string, closers: Closers): Promise<DataFolder> {
  const folder = dataFolderAt(path);
  if (!hasChain(folder)) throw noChain(folder);
  closers.add(await lockFolder(folder.path));
  return folder;
}

function noChain({ path }: DataFolder): DataFolderError {
  return new DataFolderError('notInitialized', `there is no chain in ${path}`);
}
