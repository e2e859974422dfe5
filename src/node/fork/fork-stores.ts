import { type EntryStores, encodeForkPoint, type ForkPoint, forkPointIn } from '../../fork/index.ts';
import { equalBytes, toPrefixedHex } from '../../protocol/index.ts';
import {
  openStore,
  openStoreForReading,
  type Store,
  StoreError,
  type StoreReader,
} from '../../store/index.ts';
import type { Closers } from '../closers.ts';
import { DataFolderError } from '../errors.ts';
import { openSharedStores } from './shared-cache.ts';

const NOTHING = new Uint8Array();

/**
 * Opens the stores of a fork.
 * @param folder of the entries of a data folder; undefined: a chain in a temporary folder
 * @param caches true to share entries with other processes
 * @throws DataFolderError if the folder has entries of another block, StoreError
 */
export async function openForkStores(
  point: ForkPoint,
  folder: string | undefined,
  caches: boolean,
  closers: Closers,
): Promise<EntryStores> {
  const shared = caches
    ? await openSharedStores(point, (path) => openForkStore(path, point, closers), closers)
    : {};
  if (folder === undefined && shared.sharedWriter !== undefined) return { own: shared.sharedWriter };
  return { own: openForkStore(folder, point, closers), ...shared };
}

/** Returns the fork point of the entries in a folder; undefined without any. @throws StoreError, DecodeError */
export async function storedForkPoint(folder: string): Promise<ForkPoint | undefined> {
  const store = openEntries(folder);
  try {
    return store && pointOf(store);
  } finally {
    await store?.close();
  }
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

/** Opens a store of entries, for a new one with the fork point. @throws DataFolderError for another fork point */
function openForkStore(path: string | undefined, point: ForkPoint, closers: Closers): Store {
  const durable = path !== undefined;
  const store = openStore({ ...(durable && { path }), durable, history: false, undoBlocks: 0 });
  closers.add(() => store.close());
  const stored = pointOf(store);
  if (stored === undefined) {
    store.commitBlock({
      ...{ number: 0, block: NOTHING, transactions: [], receipts: [], operationHashes: [] },
      ...{ logs: [], payers: [], state: [], accumulator: NOTHING, genesis: encodeForkPoint(point) },
    });
  } else if (!equalBytes(stored.hash, point.hash) || stored.chainId !== point.chainId) {
    throw new DataFolderError(
      'unusable',
      `${path} has entries of ${nameOf(stored)}, not of ${nameOf(point)}`,
    );
  }
  return store;
}

function nameOf({ number, hash, chainId }: ForkPoint): string {
  return `block ${number} (${toPrefixedHex(hash)}) of chain ${chainId}`;
}

/** Returns the fork point of a store; undefined for an empty one. @throws DecodeError */
export function pointOf(store: StoreReader): ForkPoint | undefined {
  const record = store.genesis();
  return record && forkPointIn(record);
}
