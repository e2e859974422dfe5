import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { encodeForkPoint, type ForkPoint } from '../../fork/index.ts';
import { bytesToHex, equalBytes, keccak256, messageOf, utf8ToBytes } from '../../protocol/index.ts';
import { openStoreForReading, type Store, StoreError, type StoreReader } from '../../store/index.ts';
import { type Closers, openAll } from '../closers.ts';
import { FOLDER_MODE } from '../data-folder.ts';
import { isFolderLocked, lockFolder } from '../folder-lock.ts';
import { DataFolderError } from '../node-errors.ts';

/** Bytes of the forks in the user's cache folder (2 GiB), when one is opened. */
const FORK_CACHE_BYTES_MAX = 2 * 1024 * 1024 * 1024;

const CACHE_FOLDER = 'ledgerd/forks';
/** In the name of a folder that is being removed. */
const REMOVED = '.removed-';
/** Bytes of the hash of a host in the name of a folder. */
const SOURCE_BYTES = 8;

/** The entries that processes share, and the same store for its writer. */
export interface SharedStores {
  readonly shared?: StoreReader;
  readonly sharedWriter?: Store;
}

/** The part of the cache for the entries of one block: each remote node has its own, and proven ones are apart. */
export interface SharedCache {
  /** URL of the remote node; its host is the source of the entries. */
  readonly url: string;
  /** True for entries of the state that were checked by proofs. */
  readonly isProven: boolean;
  /** Called for a damaged part, which is replaced. */
  onDamaged(path: string): void;
}

/** A store of shared entries that this process writes to. Its chains share it, and the last one closes it. */
interface Writer {
  readonly store: Store;
  readonly closers: Closers;
  users: number;
}

const writers = new Map<string, Writer>();

/**
 * Opens the entries that processes share: for writing if no other process does, else for reading. Before that, the
 * forks of the cache that were not used for the longest time are removed, down to the bound. What is damaged, also if
 * its fork point is not the one that was just fetched, is replaced, since all of it can be fetched again.
 * @param open opens a store for writing, and adds it to the closers
 * @throws DataFolderError if the cache cannot be used
 */
export async function openSharedStores(
  point: ForkPoint,
  part: SharedCache,
  open: (path: string, closers: Closers) => Store,
  closers: Closers,
  bytesMax = FORK_CACHE_BYTES_MAX,
): Promise<SharedStores> {
  const cache = cacheFolder();
  const path = join(cache, nameOf(point, part));
  const known = writers.get(path);
  if (known !== undefined) return use(path, known, closers);
  try {
    mkdirSync(path, { recursive: true, mode: FOLDER_MODE });
    const now = new Date();
    utimesSync(path, now, now);
    await removeOldest(cache, path, bytesMax);
    const release = (await isFolderLocked(path)) ? undefined : await lockIfFree(path);
    // Beside the lock: a store has a folder of its own.
    const entries = join(path, 'entries');
    if (release === undefined) return await openShared(entries, point, closers);
    const writer = await openAll(async (own) => {
      own.add(release);
      const isDamaged = !(await isUsable(entries, point));
      if (isDamaged) rmSync(entries, { recursive: true, force: true });
      if (isDamaged) part.onDamaged(path);
      return { store: open(entries, own), closers: own, users: 0 };
    });
    writers.set(path, writer);
    return use(path, writer, closers);
  } catch (cause) {
    const remedy = 'remove it, or start with --no-fork-cache';
    throw new DataFolderError(
      'unusable',
      `the cache ${path} cannot be used: ${messageOf(cause)}: ${remedy}`,
      {
        cause,
      },
    );
  }
}

/** Adds a user of a store, which ends with the closers. */
function use(path: string, writer: Writer, closers: Closers): SharedStores {
  writer.users += 1;
  closers.add(async () => {
    writer.users -= 1;
    if (writer.users > 0) return;
    writers.delete(path);
    await writer.closers.close();
  });
  return { shared: writer.store, sharedWriter: writer.store };
}

/** Locks a folder; returns undefined if another process does at the same time. */
async function lockIfFree(path: string): Promise<(() => Promise<void>) | undefined> {
  try {
    return await lockFolder(path);
  } catch (error) {
    if (error instanceof DataFolderError && error.reason === 'inUse') return undefined;
    throw error;
  }
}

/** Returns the folder of a part of the cache. The host is hashed, since some contain keys. */
function nameOf({ chainId, hash }: ForkPoint, { url, isProven }: SharedCache): string {
  const source = bytesToHex(keccak256(utf8ToBytes(new URL(url).origin)).subarray(0, SOURCE_BYTES));
  return `${chainId}-${bytesToHex(hash)}-${source}${isProven ? '-proven' : ''}`;
}

/** Opens the entries of another process; none if it has not created them yet, or they are damaged. */
async function openShared(entries: string, point: ForkPoint, closers: Closers): Promise<SharedStores> {
  const shared = readerOf(entries);
  if (shared === 'missing' || shared === 'damaged') return {};
  closers.add(() => shared.close());
  return hasRecord(shared, point) ? { shared } : {};
}

/** Returns false for damaged entries, and those of an earlier format. */
async function isUsable(entries: string, point: ForkPoint): Promise<boolean> {
  const reader = readerOf(entries);
  if (reader === 'missing' || reader === 'damaged') return reader === 'missing';
  try {
    return reader.genesis() === undefined || hasRecord(reader, point);
  } finally {
    await reader.close();
  }
}

function readerOf(entries: string): StoreReader | 'missing' | 'damaged' {
  try {
    return openStoreForReading(entries);
  } catch (error) {
    const code = error instanceof StoreError ? error.code : undefined;
    if (code === 'STORE_MISSING') return 'missing';
    if (code === 'STORE_UNREADABLE' || code === 'STORE_OLDER_FORMAT') return 'damaged';
    throw error;
  }
}

/** Returns true if a store begins with the fork point that the remote node has just given. */
function hasRecord(store: StoreReader, point: ForkPoint): boolean {
  const record = store.genesis();
  return record !== undefined && equalBytes(record, encodeForkPoint(point));
}

/** Removes unlocked forks, those that were not used for the longest time first, until the rest is within the bound. */
async function removeOldest(cache: string, opened: string, bytesMax: number): Promise<void> {
  const forks = readdirSync(cache).flatMap((name) => forkIn(join(cache, name)));
  let bytes = forks.reduce((sum, fork) => sum + fork.bytes, 0);
  for (const { path, bytes: freed } of forks.sort((left, right) => left.usedMs - right.usedMs)) {
    const isLeft = path.includes(REMOVED);
    if (path === opened || (bytes <= bytesMax && !isLeft)) continue;
    if (isLeft || (await moveAway(path))) bytes -= freed;
    if (isLeft) rmSync(path, { recursive: true, force: true });
  }
}

/** Removes a fork unless a process locks it. Returns true if it is gone. */
async function moveAway(path: string): Promise<boolean> {
  const release = (await isFolderLocked(path)) ? undefined : await lockIfFree(path);
  if (release === undefined) return false;
  const moved = `${path}${REMOVED}${randomBytes(4).toString('hex')}`;
  // At once, so that no process opens a part of it.
  renameSync(path, moved);
  await release();
  rmSync(moved, { recursive: true, force: true });
  return true;
}

/** Returns the bytes of a fork and the time of its last use; nothing for what another process removes meanwhile. */
function forkIn(path: string): { path: string; bytes: number; usedMs: number }[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return [];
  const bytes = statSync(join(path, 'entries', 'ledger.mdb'), { throwIfNoEntry: false })?.size ?? 0;
  return [{ path, bytes, usedMs: stats.mtimeMs }];
}

/** Returns the folder of the user's caches (XDG base directory specification). */
function cacheFolder(): string {
  const { XDG_CACHE_HOME: home, LOCALAPPDATA: local } = process.env;
  const base = home ?? (process.platform === 'win32' ? local : undefined) ?? join(homedir(), '.cache');
  return join(base, CACHE_FOLDER);
}
