import {
  AccessHints,
  checkPin,
  type EntrySource,
  type EntryStores,
  type ForkPoint,
  ForkPointError,
  ForkState,
  fetchEntries,
  HttpUpstream,
  type PinChoice,
  type PinnedBlock,
  pinBlock,
  precedingIn,
  RemoteCallError,
  RemoteDataError,
  RemoteEntries,
  RemoteHistory,
  RemoteMissingError,
  RemoteOtterscan,
  RemoteReorgError,
  storePreceding,
  type Upstream,
  UpstreamError,
} from '../../fork/index.ts';
import type { ForkBase, RemoteMessage } from '../../ledger/index.ts';
import { FormatError, hexToBytes, ProofError, toHash } from '../../protocol/index.ts';
import { ForwardedError, type RemoteChain, RequestFailedError } from '../../rpc/index.ts';
import type { Closers } from '../closers.ts';
import type { NodeEvents } from '../events.ts';
import type { ForkConfiguration, RemoteSource } from '../fork-configuration.ts';
import { DataFolderError } from '../node-errors.ts';
import { type ForkFolders, openForkStores, storedForkPoint } from './fork-stores.ts';
import { offlineState, offlineUpstream } from './offline.ts';
import { openPackStores } from './pack-entries.ts';

/** The remote side of a forked chain. */
export interface OpenedFork {
  readonly point: ForkPoint;
  readonly base: ForkBase;
  /** Serialized transactions that a new chain includes first. */
  readonly preceding: readonly Uint8Array[];
  readonly remote: RemoteChain;
  /** The remote node; undefined without one. */
  readonly upstream: Upstream | undefined;
  /** Replaces the remote node by another one that has the block. */
  connect(remote: Remote): void;
  /** Leaves the preceding transactions out of later packs: the chain has begun without them. */
  removePreceding(): void;
}

/** A block of a remote chain to fork at, and its remote node. */
export interface PinnedRemote extends PinnedBlock {
  readonly upstream: Upstream;
}

/**
 * Opens the fork of a configuration, or the one of a data folder.
 * @param folders of a data folder; undefined: the chain is in a temporary folder
 * @param pinned the block, if it is chosen already; ignored for a pack
 * @returns undefined without any
 * @throws DataFolderError for a folder with a fork of another block, and the errors of the remote node
 */
export async function openFork(
  configuration: ForkConfiguration | undefined,
  folders: Pick<ForkFolders, 'used' | 'isBegun'> | undefined,
  events: NodeEvents,
  closers: Closers,
  pinned?: PinnedBlock,
): Promise<OpenedFork | undefined> {
  const { used: path, isBegun = false } = folders ?? {};
  const stored = path === undefined ? undefined : await storedForkPoint(path);
  if (configuration === undefined) {
    return (
      stored && openStored(stored, await openForkStores(stored, path, 'kept', undefined, closers), 'no node')
    );
  }
  const { source } = configuration;
  if (source.kind === 'pack') {
    const { point, stores } = await openPackStores(source.file, configuration, path, closers);
    return openStored(point, stores, 'pack');
  }
  if (pinned !== undefined) {
    const { point, preceding } = pinned;
    const upstream = upstreamOf(source.url, configuration, closers);
    return openPinned({ upstream, point, preceding }, configuration, path, events, closers);
  }
  const needsPreceding = configuration.transaction !== undefined && !isBegun;
  if (stored === undefined || needsPreceding) {
    return openPinned(await pinRemote(source, configuration, closers), configuration, path, events, closers);
  }
  const upstream = upstreamOf(source.url, configuration, closers);
  await requireSame(stored, upstream, source.block);
  const stores = await openRemoteStores(stored, configuration, path, events, closers);
  const preceding = isBegun ? precedingIn(stores.own) : [];
  return openAt(stored, preceding, stores, { upstream, verifies: configuration.verifies });
}

/** Chooses the block of a new fork. Rejects as `pinBlock`. */
export async function pinRemote(
  { url, block }: RemoteSource,
  { transaction, ...options }: ForkConfiguration,
  closers: Closers,
): Promise<PinnedRemote> {
  const choice: PinChoice =
    transaction !== undefined
      ? { kind: 'transaction', hash: toHash(hexToBytes(transaction.slice(2))) }
      : block === undefined
        ? { kind: 'latest' }
        : { kind: 'number', number: block };
  const chainId = options.chainId === undefined ? undefined : BigInt(options.chainId);
  const upstream = upstreamOf(url, options, closers);
  return { upstream, ...(await pinBlock(upstream, choice, { chainId, trustsHeader: options.trustsHeader })) };
}

/** Opens a new fork at a pinned block. Parameter and errors as `openForkStores`. */
export async function openPinned(
  { upstream, point, preceding }: PinnedRemote,
  configuration: ForkConfiguration,
  folder: string | undefined,
  events: NodeEvents,
  closers: Closers,
): Promise<OpenedFork> {
  const stores = await openRemoteStores(point, configuration, folder, events, closers);
  // Only data folders are packed: processes with other transactions share the cache.
  if (folder !== undefined) storePreceding(stores.own, preceding);
  return openAt(point, preceding, stores, { upstream, verifies: configuration.verifies });
}

/** Opens the stores of a fork with a remote node. Errors as `openForkStores`. */
function openRemoteStores(
  point: ForkPoint,
  { source, caches, verifies }: ForkConfiguration,
  folder: string | undefined,
  { onNotice }: NodeEvents,
  closers: Closers,
): Promise<EntryStores> {
  const trust = verifies ? 'proven' : 'unproven';
  const onDamaged = (path: string): void => onNotice?.({ kind: 'forkCacheDamaged', path });
  const cache = source.kind === 'remote' ? { url: source.url, isProven: verifies, onDamaged } : undefined;
  return openForkStores(point, folder, trust, caches ? cache : undefined, closers);
}

/** Opens a fork with what its stores have. */
function openStored(point: ForkPoint, stores: EntryStores, remote: 'no node' | 'pack'): OpenedFork {
  return openAt(point, precedingIn(stores.own), stores, remote);
}

/** A remote node, and true if its entries are checked by proofs. */
export interface Remote {
  readonly upstream: Upstream;
  readonly verifies: boolean;
}

/** @param remote without a remote node, nothing is fetched */
function openAt(
  point: ForkPoint,
  preceding: readonly Uint8Array[],
  opened: EntryStores,
  remote: Remote | 'no node' | 'pack',
): OpenedFork {
  const stores = { ...opened };
  const isPack = remote === 'pack';
  let connected: Connected =
    typeof remote === 'string'
      ? {
          upstream: undefined,
          ...historyOf(offlineUpstream(point, isPack), point, stores),
          state: offlineState(point, isPack),
          hints: undefined,
        }
      : connect(remote, point, stores);
  const entries = new RemoteEntries(stores, {
    state: (missing) => connected.state(missing),
    blockHash: async (number) => {
      const block = await connected.history.block(number, false);
      return toHash(hexToBytes(String(block?.hash).slice(2)));
    },
  });
  const fetchHints = async (message: RemoteMessage): Promise<void> => {
    const hints = await connected.hints?.of(message);
    if (hints !== undefined) await entries.fetch(hints);
  };
  const { chainId, number, hash } = point;
  const chain: RemoteChain = {
    chainId,
    number,
    hash,
    fetch: ({ entries: missing, during }) =>
      reportingRemote(
        async () => {
          const lacks = entries.lacks(missing);
          const all = [entries.fetch(missing)];
          if (during !== undefined && lacks) all.push(fetchHints(during));
          await Promise.all(all);
        },
        (error) => error.message,
      ),
    read: (query) =>
      reportingRemote(
        () => query(connected.history, connected.otterscan),
        // Tools read the words of a revert.
        ({ reported }) => reported,
      ),
  };
  return {
    point,
    preceding,
    base: new ForkState(stores.own),
    remote: chain,
    get upstream() {
      return connected.upstream;
    },
    connect: (next) => {
      // The shared entries are those of the former remote node.
      if (next.upstream.name !== connected.upstream?.name) stores.shared = stores.sharedWriter = undefined;
      connected = connect(next, point, stores);
    },
    removePreceding: () => storePreceding(stores.own, []),
  };
}

/** A remote node in use, or what stands for none. */
interface Connected {
  readonly upstream: Upstream | undefined;
  readonly history: RemoteHistory;
  readonly otterscan: RemoteOtterscan;
  readonly state: EntrySource['state'];
  /** Entries that calls will need; undefined without a remote node. */
  readonly hints: AccessHints | undefined;
}

function historyOf(upstream: Upstream, point: ForkPoint, stores: EntryStores) {
  const history = new RemoteHistory(upstream, point, stores);
  return { history, otterscan: new RemoteOtterscan(history, point.number) };
}

function connect({ upstream, verifies }: Remote, point: ForkPoint, stores: EntryStores): Connected {
  return {
    upstream,
    ...historyOf(upstream, point, stores),
    state: (entries) => fetchEntries(upstream, point, entries, { verify: verifies }),
    hints: new AccessHints(upstream, point),
  };
}

function upstreamOf(
  url: string,
  options: Omit<ForkConfiguration, 'transaction' | 'source'>,
  closers: Closers,
): Upstream {
  const { headers, retries, timeoutMs, backoffMs, rate } = options;
  const upstream = new HttpUpstream({ url, headers, retries, timeoutMs, backoffMs, rate });
  closers.add(() => upstream.close());
  return upstream;
}

/**
 * Checks that a remote node has the block from which a stored chain continues.
 * @throws DataFolderError for another block in the configuration, and as `checkPin`
 */
async function requireSame(stored: ForkPoint, upstream: Upstream, block: number | undefined): Promise<void> {
  if (block !== undefined && block !== stored.number) {
    throw new DataFolderError(
      'unusable',
      `the data folder has a fork of block ${stored.number}, not of block ${block}: name another folder`,
    );
  }
  await checkPin(upstream, stored);
}

/** Turns errors of the remote node into errors for the callers of this one. */
export async function reportingRemote<T>(
  action: () => Promise<T>,
  words: (error: RemoteCallError) => string = (error) => error.message,
): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof RemoteCallError) {
      const { rpcCode, data } = error;
      throw new ForwardedError(rpcCode, words(error), typeof data === 'string' ? data : undefined);
    }
    if (error instanceof FormatError) throw new RequestFailedError(error.reason);
    const isRemote = REMOTE_ERRORS.some((type) => error instanceof type);
    throw isRemote && error instanceof Error ? new RequestFailedError(error.message) : error;
  }
}

const REMOTE_ERRORS = [
  DataFolderError,
  ForkPointError,
  ProofError,
  RemoteDataError,
  RemoteMissingError,
  RemoteReorgError,
  UpstreamError,
];
