import { rmSync } from 'node:fs';
import { type EntryStores, encodeForkPoint, type ForkPoint, PROVEN_KEY } from '../../fork/index.ts';
import { type Genesis, remoteOriginOf, storedGenesis } from '../../ledger/index.ts';
import { equalBytes, toPrefixedHex } from '../../protocol/index.ts';
import { openStore, type Store } from '../../store/index.ts';
import type { Closers } from '../closers.ts';
import { type DataFolder, isThere } from '../data-folder.ts';
import { DataFolderError } from '../node-errors.ts';
import { openEntries, pointOf } from '../stored-chain.ts';
import { openSharedStores, type SharedCache } from './shared-cache.ts';

const NOTHING = new Uint8Array();
const PROVEN_MARK = { key: PROVEN_KEY, before: undefined, after: NOTHING };

/**
 * Opens the stores of a fork.
 * @param folder of the entries of a data folder; undefined: a chain in a temporary folder
 * @param trust in the entries that they will have
 * @param cache shares entries with other processes, and with other chains of this one; undefined: none
 * @throws DataFolderError if the folder has entries of another block, or without proofs, StoreError
 */
export async function openForkStores(
  point: ForkPoint,
  folder: string | undefined,
  trust: Trust,
  cache: SharedCache | undefined,
  closers: Closers,
): Promise<EntryStores> {
  const open = (path: string, own: Closers): Store => openForkStore(path, point, trust, own);
  const shared = cache === undefined ? {} : await openSharedStores(point, cache, open, closers);
  return { own: openForkStore(folder, point, trust, closers), ...shared };
}

/**
 * The trust in the entries of a store: `proven` ones were checked by proofs, all of them; `unproven` ones are added;
 * `kept`: none are added, the store is what it was.
 */
type Trust = 'proven' | 'unproven' | 'kept';

/** The folders of a data folder for entries: the one of the chain, and another one for the fork of a reset. */
export interface ForkFolders {
  readonly used: string;
  readonly free: string;
  /** False until the chain has begun: the first start is repeated if it was killed before. */
  readonly isBegun: boolean;
}

/**
 * Finds the folder with the entries of a stored chain, and removes entries of other chains: a reset that was killed
 * leaves those of the former fork or of the next one.
 * @param store of the chain, which has begun once its time is saved
 * @throws StoreError, DecodeError
 */
export async function claimForkFolders(
  { forks: [first, second], control }: DataFolder,
  store: Store,
): Promise<ForkFolders> {
  const genesis = storedGenesis(store);
  const block = genesis && remoteOriginOf(genesis);
  const hasBlock = async (folder: string): Promise<boolean> => {
    if (block === undefined) return false;
    const point = await storedForkPoint(folder);
    return point !== undefined && equalBytes(point.hash, block.hash);
  };
  const isFirst = await hasBlock(first);
  const isSecond = !isFirst && (await hasBlock(second));
  // A reset saves the time in the store.
  const isBegun = genesis !== undefined && (isThere(control) || store.restored() !== undefined);
  const folders = isSecond ? { used: second, free: first, isBegun } : { used: first, free: second, isBegun };
  removeEntries(folders.free);
  // A start that was killed may have left entries before its chain.
  if (genesis !== undefined && !isFirst && !isSecond) removeEntries(folders.used);
  return folders;
}

/** @throws DataFolderError for a stored chain that does not continue from the block of a fork */
export function requireForkOf(genesis: Genesis, { number, hash }: ForkPoint): void {
  const block = remoteOriginOf(genesis);
  if (block !== undefined && equalBytes(block.hash, hash)) return;
  const held = block === undefined ? 'a chain that is no fork' : `a fork of block ${block.number}`;
  throw new DataFolderError(
    'unusable',
    `the data folder has ${held}, not of block ${number} (${toPrefixedHex(hash)}): name another folder, or start it ` +
      'without --fork and call hardhat_reset with forking, which replaces its chain',
  );
}

/** Removes the entries of a fork that no chain continues from. */
export function removeEntries(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
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

/** Opens a store of entries, for a new one with the fork point. @throws DataFolderError for another fork point */
function openForkStore(path: string | undefined, point: ForkPoint, trust: Trust, closers: Closers): Store {
  const durable = path !== undefined;
  const store = openStore({ ...(durable && { path }), durable, history: false, undoBlocks: 0 });
  closers.add(() => store.close());
  const stored = pointOf(store);
  if (stored === undefined) {
    store.commitBlock({
      number: 0,
      block: NOTHING,
      transactions: [],
      receipts: [],
      operationHashes: [],
      logs: [],
      payers: [],
      state: trust === 'proven' ? [PROVEN_MARK] : [],
      accumulator: NOTHING,
      genesis: encodeForkPoint(point),
    });
  } else if (!equalBytes(stored.hash, point.hash) || stored.chainId !== point.chainId) {
    throw new DataFolderError(
      'unusable',
      `${path} has entries of ${nameOf(stored)}, not of ${nameOf(point)}`,
    );
  } else markTrust(store, trust);
  return store;
}

/** Removes the mark of proven entries where others are added. @throws DataFolderError for proven ones beside others */
function markTrust(store: Store, trust: Trust): void {
  const before = store.state(PROVEN_KEY);
  if (trust === 'proven' && before === undefined) {
    throw new DataFolderError(
      'unusable',
      `${store.path} has entries that were fetched without proofs, from which its chain was made: start it without ` +
        '--fork-verify, or fork into another folder',
    );
  }
  if (trust !== 'unproven' || before === undefined) return;
  const removed = { ...PROVEN_MARK, before, after: undefined };
  store.commitPatch({ patch: NOTHING, state: [removed], counts: [], accumulator: NOTHING });
}

function nameOf({ number, hash, chainId }: ForkPoint): string {
  return `block ${number} (${toPrefixedHex(hash)}) of chain ${chainId}`;
}
