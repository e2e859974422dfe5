import { existsSync } from 'node:fs';
import {
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
import type { ForkBase } from '../../ledger/index.ts';
import { FormatError, hexToBytes, ProofError, toHash, toPrefixedHex } from '../../protocol/index.ts';
import { ForwardedError, type RemoteChain, RequestFailedError } from '../../rpc/index.ts';
import type { Closers } from '../closers.ts';
import { DataFolderError } from '../errors.ts';
import type { ForkConfiguration } from '../fork-configuration.ts';
import { openForkStores, storedForkPoint } from './fork-stores.ts';
import { forwardHistory } from './forward-history.ts';

/** The remote side of a forked chain. */
export interface OpenedFork {
  readonly point: ForkPoint;
  readonly base: ForkBase;
  /** Serialized transactions that a new chain includes first. */
  readonly preceding: readonly Uint8Array[];
  readonly remote: RemoteChain;
  /** The remote node; undefined without one. */
  readonly upstream: Upstream | undefined;
  /** Replaces the remote node. Rejects as `checkPin`; nothing is changed then. */
  connect(remote: Remote): Promise<void>;
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
export interface Remote {
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
  let connected = remote && connect(remote, point);
  const source = (): EntrySource => connected?.source ?? offline(point);
  const entries = new RemoteEntries(stores, {
    state: (missing) => source().state(missing),
    blockHash: (number) => source().blockHash(number),
  });
  const { chainId, number, hash } = point;
  const chain: RemoteChain = {
    ...{ chainId, number, hash },
    fetch: (missing) => reportingRemote(() => entries.fetch(missing)),
    forward: (method, parameters) =>
      reportingRemote(async () => {
        if (connected === undefined)
          throw new RequestFailedError(withoutRemote(`the history up to block ${point.number}`));
        return forwardHistory(connected.history, point, method, parameters);
      }),
  };
  return {
    ...{ point, preceding, base: new ForkState(stores.own), remote: chain },
    get upstream() {
      return connected?.upstream;
    },
    connect: async (next) => {
      await checkPin(next.upstream, point);
      connected = connect(next, point);
    },
  };
}

function connect(remote: Remote, point: ForkPoint) {
  const { upstream } = remote;
  const history = new RemoteHistory(upstream, point);
  return { upstream, history, source: sourceOf(remote, history, point) };
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
export async function reportingRemote<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof RemoteCallError) {
      const { rpcCode, message, data } = error;
      throw new ForwardedError(rpcCode, message, typeof data === 'string' ? data : undefined);
    }
    if (error instanceof FormatError) throw new RequestFailedError(error.reason);
    const isRemote = REMOTE_ERRORS.some((type) => error instanceof type);
    throw isRemote && error instanceof Error ? new RequestFailedError(error.message) : error;
  }
}

const REMOTE_ERRORS = [
  ...[DataFolderError, ForkPointError, ProofError],
  ...[RemoteDataError, RemoteMissingError, RemoteReorgError, UpstreamError],
];
