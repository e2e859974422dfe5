import { existsSync } from 'node:fs';
import {
  AccessHints,
  checkPin,
  type EntrySource,
  type EntryStores,
  type ForkPoint,
  ForkState,
  fetchEntries,
  HttpUpstream,
  type PinChoice,
  type PinnedBlock,
  pinBlock,
  RemoteCallError,
  RemoteDataError,
  RemoteEntries,
  type RemoteEntry,
  RemoteHistory,
  RemoteMissingError,
  RemoteReorgError,
  type Upstream,
  UpstreamError,
} from '../../fork/index.ts';
import type { ForkBase, RemoteMessage } from '../../ledger/index.ts';
import { hexToBytes, ProofError, toHash, toPrefixedHex } from '../../protocol/index.ts';
import { ForwardedError, type RemoteChain, RequestFailedError } from '../../rpc/index.ts';
import type { Closers } from '../closers.ts';
import { DataFolderError } from '../errors.ts';
import type { ForkConfiguration } from './fork-configuration.ts';
import { openForkStores, storedForkPoint } from './fork-stores.ts';
import { forwardHistory } from './forward-history.ts';

/** The remote side of a forked chain. */
export interface OpenedFork {
  readonly point: ForkPoint;
  readonly base: ForkBase;
  /** Serialized transactions that a new chain includes first. */
  readonly preceding: readonly Uint8Array[];
  readonly remote: RemoteChain;
}

/**
 * Opens the fork of a configuration, or the one of a data folder.
 * @param folder of the entries of a data folder; undefined: the chain is in a temporary folder
 * @returns undefined without any
 * @throws DataFolderError for a folder with a fork of another block, and the errors of the remote node
 */
export async function openFork(
  configuration: ForkConfiguration | undefined,
  folder: string | undefined,
  closers: Closers,
): Promise<OpenedFork | undefined> {
  const stored = folder !== undefined && existsSync(folder) ? await storedForkPoint(folder) : undefined;
  if (configuration === undefined) {
    return stored && openAt(stored, [], await openForkStores(stored, folder, false, closers), undefined);
  }
  const upstream = upstreamOf(configuration, closers);
  const { point, preceding } =
    stored === undefined ? await pin(upstream, configuration) : { point: stored, preceding: [] };
  if (stored !== undefined) await requireSame(stored, upstream, configuration);
  const stores = await openForkStores(point, folder, configuration.caches, closers);
  return openAt(point, preceding, stores, { upstream, verifies: configuration.verifies });
}

/** A remote node, and true if its entries are checked by proofs. */
interface Remote {
  readonly upstream: Upstream;
  readonly verifies: boolean;
}

/** @param remote undefined: nothing is fetched */
function openAt(
  point: ForkPoint,
  preceding: readonly Uint8Array[],
  stores: EntryStores,
  remote: Remote | undefined,
): OpenedFork {
  const history = remote && new RemoteHistory(remote.upstream, point);
  const entries = new RemoteEntries(
    stores,
    remote && history ? sourceOf(remote, history, point) : offline(point),
  );
  const hints = remote && new AccessHints(remote.upstream, point);
  const fetchHints = async (message: RemoteMessage): Promise<void> =>
    hints === undefined ? undefined : entries.fetch(await hints.of(message));
  const chain: RemoteChain = {
    number: point.number,
    hash: toPrefixedHex(point.hash),
    fetch: ({ entries: missing, during }) =>
      reporting(
        async () => {
          const all = [entries.fetch(missing)];
          if (during !== undefined) all.push(fetchHints(during));
          await Promise.all(all);
        },
        (error) => error.message,
      ),
    forward: (method, parameters) =>
      reporting(
        async () => {
          if (history === undefined)
            throw new RequestFailedError(withoutRemote(`the history up to block ${point.number}`));
          return forwardHistory(history, point, method, parameters);
        },
        // Tools read the words of a revert.
        ({ reported }) => reported,
      ),
  };
  return { point, preceding, base: new ForkState(stores.own), remote: chain };
}

function upstreamOf({ source, ...options }: ForkConfiguration, closers: Closers): Upstream {
  if (source.kind === 'pack') throw new DataFolderError('unusable', 'packs are not supported yet');
  const { headers, retries, timeoutMs, backoffMs, rate } = options;
  const upstream = new HttpUpstream({ url: source.url, headers, retries, timeoutMs, backoffMs, rate });
  closers.add(() => upstream.close());
  return upstream;
}

/** Chooses the block of a new fork. Rejects as `pinBlock`. */
function pin(
  upstream: Upstream,
  { source, transaction, ...options }: ForkConfiguration,
): Promise<PinnedBlock> {
  const block = source.kind === 'remote' ? source.block : undefined;
  const choice: PinChoice =
    transaction !== undefined
      ? { kind: 'transaction', hash: toHash(hexToBytes(transaction.slice(2))) }
      : block === undefined
        ? { kind: 'latest' }
        : { kind: 'number', number: block };
  const chainId = options.chainId === undefined ? undefined : BigInt(options.chainId);
  return pinBlock(upstream, choice, { chainId, trustsHeader: options.trustsHeader });
}

/**
 * Checks that a remote node has the block from which a stored chain continues.
 * @throws DataFolderError for another block in the configuration, and as `checkPin`
 */
async function requireSame(
  stored: ForkPoint,
  upstream: Upstream,
  { source }: ForkConfiguration,
): Promise<void> {
  const block = source.kind === 'remote' ? source.block : undefined;
  if (block !== undefined && block !== stored.number) {
    throw new DataFolderError(
      'unusable',
      `the data folder has a fork of block ${stored.number}, not of block ${block}: name another folder`,
    );
  }
  await checkPin(upstream, stored);
}

function sourceOf({ upstream, verifies }: Remote, history: RemoteHistory, point: ForkPoint): EntrySource {
  return {
    state: (entries) => fetchEntries(upstream, point, entries, { verify: verifies }),
    blockHash: async (number) => {
      const block = await history.block(number, false);
      return toHash(hexToBytes(String(block?.hash).slice(2)));
    },
  };
}

/** A source without a remote node. */
function offline({ number }: ForkPoint): EntrySource {
  const refuse = (what: string): Promise<never> =>
    Promise.reject(new RequestFailedError(withoutRemote(what)));
  return {
    state: ([entry]) => refuse(`${entry === undefined ? 'state' : describeEntry(entry)} at block ${number}`),
    blockHash: (block) => refuse(`the hash of block ${block}`),
  };
}

function withoutRemote(what: string): string {
  return `${what} was not fetched from the remote chain: start the node with --fork and a URL, which adds it`;
}

function describeEntry(entry: RemoteEntry): string {
  const address = toPrefixedHex(entry.address);
  return entry.kind === 'account'
    ? `the account ${address}`
    : `slot ${toPrefixedHex(entry.slot)} of ${address}`;
}

/** Turns errors of the remote node into errors for the callers of this one. */
async function reporting<T>(action: () => Promise<T>, words: (error: RemoteCallError) => string): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof RemoteCallError) {
      const { rpcCode, data } = error;
      throw new ForwardedError(rpcCode, words(error), typeof data === 'string' ? data : undefined);
    }
    const isRemote = REMOTE_ERRORS.some((type) => error instanceof type);
    throw isRemote && error instanceof Error ? new RequestFailedError(error.message) : error;
  }
}

const REMOTE_ERRORS = [ProofError, RemoteDataError, RemoteMissingError, RemoteReorgError, UpstreamError];
