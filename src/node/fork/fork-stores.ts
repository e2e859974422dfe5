import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type EntryStores, encodeForkPoint, type ForkPoint, forkPointIn } from '../../fork/index.ts';
import { bytesToHex, equalBytes } from '../../protocol/index.ts';
import { openStore, openStoreForReading, type Store, type StoreReader } from '../../store/index.ts';
import type { Closers } from '../closers.ts';
import { FOLDER_MODE } from '../data-folder.ts';
import { DataFolderError } from '../errors.ts';
import { isFolderLocked, lockFolder } from '../folder-lock.ts';

const CACHE_FOLDER = 'ledgerd/forks';
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
  const shared = caches ? await openShared(point, closers) : {};
  if (folder === undefined && shared.sharedWriter !== undefined) return { own: shared.sharedWriter };
  return { own: openForkStore(folder, point, closers), ...shared };
}

/** Returns the fork point of the entries in a folder; undefined without any. @throws StoreError, DecodeError */
export async function storedForkPoint(folder: string): Promise<ForkPoint | undefined> {
  // Creates nothing where there is no store.
  const store = openStoreForReading(folder);
  try {
    return pointOf(store);
  } finally {
    await store.close();
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
      `${path} has entries of block ${stored.number} (0x${bytesToHex(stored.hash)}) of chain ${stored.chainId}, not of ` +
        `block ${point.number} (0x${bytesToHex(point.hash)}) of chain ${point.chainId}`,
    );
  }
  return store;
}

function pointOf(store: StoreReader): ForkPoint | undefined {
  const record = store.genesis();
  return record && forkPointIn(record);
}

/** Opens the entries that processes share: for writing if no other process does. */
async function openShared(point: ForkPoint, closers: Closers): Promise<Omit<EntryStores, 'own'>> {
  const path = join(cacheFolder(), `${point.chainId}-${bytesToHex(point.hash)}`);
  // Beside the lock: a store has a folder of its own.
  const entries = join(path, 'entries');
  mkdirSync(path, { recursive: true, mode: FOLDER_MODE });
  if (await isFolderLocked(path)) {
    const shared = openStoreForReading(entries);
    closers.add(() => shared.close());
    return { shared };
  }
  closers.add(await lockFolder(path));
  const sharedWriter = openForkStore(entries, point, closers);
  return { shared: sharedWriter, sharedWriter };
}

/** Returns the folder of the user's caches (XDG base directory specification). */
export function cacheFolder(): string {
  const { XDG_CACHE_HOME: home, LOCALAPPDATA: local } = process.env;
  const base = home ?? (process.platform === 'win32' ? local : undefined) ?? join(homedir(), '.cache');
  return join(base, CACHE_FOLDER);
}
