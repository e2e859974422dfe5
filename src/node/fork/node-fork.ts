import { checkPin, type ForkPoint, HttpUpstream, type PinnedBlock, type Upstream } from '../../fork/index.ts';
import { equalBytes } from '../../protocol/index.ts';
import { type ForkChoice, type ForkedChain, type RemoteChain, RequestFailedError } from '../../rpc/index.ts';
import { backgroundTime } from '../../time/time.ts';
import { type Closers, openAll } from '../closers.ts';
import type { NodeEvents } from '../events.ts';
import { DEFAULT_FORK, type ForkConfiguration, type RemoteSource } from '../fork-configuration.ts';
import { FetchProgress } from './fetch-progress.ts';
import { type ForkFolders, removeEntries } from './fork-stores.ts';
import { type OpenedFork, openFork, openPinned, pinRemote, reportingRemote } from './open-fork.ts';

interface Parts {
  readonly fork: OpenedFork;
  readonly remote: RemoteChain;
  readonly closers: Closers;
  /** Fetches that have not ended. */
  readonly fetching: Set<Promise<void>>;
  /** The remote node before the present one, whose last requests may be in flight. */
  former: Upstream | undefined;
}

/** The settings of a fork that a client chose. */
type ChosenFork = ForkConfiguration & { readonly source: RemoteSource };

/** The fork of a running node in test mode: owns its remote node, entries and history, which a reset replaces. */
export class NodeFork implements ForkedChain {
  /** Set with the parts: each request reads it. */
  remote: RemoteChain | undefined;
  readonly #progress: FetchProgress;
  readonly #events: NodeEvents;
  #folders: ForkFolders | undefined;
  #configuration: ForkConfiguration | undefined;
  #parts: Parts | undefined;
  #isBusy = false;

  private constructor(
    configuration: ForkConfiguration | undefined,
    folders: ForkFolders | undefined,
    events: NodeEvents,
  ) {
    this.#configuration = configuration;
    this.#folders = folders;
    this.#progress = new FetchProgress(backgroundTime, events);
    this.#events = events;
  }

  /**
   * Opens the fork of a configuration or of a data folder, if there is one. Rejects as `openFork`.
   * @param folders of a data folder; undefined: the chain is in a temporary folder
   * @param pinned the block, if it is chosen already
   */
  static async open(
    configuration: ForkConfiguration | undefined,
    folders: ForkFolders | undefined,
    events: NodeEvents,
    closers: Closers,
    pinned?: PinnedBlock,
  ): Promise<NodeFork> {
    const opened = new NodeFork(configuration, folders, events);
    await openAll(async (own) => {
      const fork = await openFork(configuration, folders, events, own, pinned);
      if (fork !== undefined) opened.#use(opened.#partsOf(fork, own));
    });
    closers.add(() => opened.#close());
    return opened;
  }

  /** The opened fork; undefined if the chain is none. */
  get opened(): OpenedFork | undefined {
    return this.#parts?.fork;
  }

  get source(): string | undefined {
    return this.opened?.upstream?.name;
  }

  get backoffMs(): number | undefined {
    return this.source === undefined ? undefined : this.#configuration?.backoffMs;
  }

  /** Replaces the remote node by one that has the block of the fork. Rejects with an RpcError. */
  setRpcUrl(url: string): Promise<void> {
    return this.#alone(async () => {
      const parts = this.#parts;
      if (parts === undefined) throw new RequestFailedError(NO_FORK);
      const configuration = this.#configurationFor({ url, block: undefined });
      const upstream = new HttpUpstream({ ...configuration, url });
      try {
        await checkPin(upstream, parts.fork.point);
      } catch (error) {
        await upstream.close();
        throw error;
      }
      this.#connect(parts, upstream, configuration);
    });
  }

  /**
   * Opens another fork, and closes the present one once an action has replaced the chain. A fork at the present block
   * has its entries. Rejects with an RpcError, and as the action; nothing is changed then.
   * @param adopt replaces the chain, and calls back at once
   */
  replace(
    choice: ForkChoice,
    adopt: (fork: OpenedFork, onReplaced: () => void) => Promise<void>,
  ): Promise<void> {
    return this.#alone(async () => {
      const configuration = this.#configurationFor(choice);
      const former = this.#parts;
      const { used, free } = this.#folders ?? {};
      const isOther = await openAll(async (closers) => {
        const pinned = await pinRemote(configuration.source, configuration, closers);
        if (former !== undefined && isSamePoint(former.fork.point, pinned.point)) {
          await adopt(former.fork, () => this.#connect(former, pinned.upstream, configuration));
          return false;
        }
        // What a reset has left that failed after this.
        if (free !== undefined) removeEntries(free);
        const parts = this.#partsOf(
          await openPinned(pinned, configuration, free, this.#events, closers),
          closers,
        );
        // At once: no request may use the new chain with the former remote node.
        await adopt(parts.fork, () => {
          this.#configuration = configuration;
          if (used !== undefined && free !== undefined)
            this.#folders = { used: free, free: used, isBegun: true };
          this.#use(parts);
        });
        return true;
      });
      if (!isOther) return;
      if (former !== undefined) await retire(former);
      if (used !== undefined) removeEntries(used);
    });
  }

  async #close(): Promise<void> {
    this.#progress.stop();
    if (this.#parts !== undefined) await retire(this.#parts);
  }

  /** Replaces the remote node. The last requests to the former one may end; those to the one before it are ended. */
  #connect(parts: Parts, upstream: Upstream, configuration: ForkConfiguration): void {
    void parts.former?.close();
    parts.former = parts.fork.upstream;
    parts.fork.connect({ upstream, verifies: configuration.verifies });
    this.#configuration = configuration;
    this.#progress.follow(() => parts.fork.upstream?.counts);
  }

  #partsOf(fork: OpenedFork, closers: Closers): Parts {
    const fetching = new Set<Promise<void>>();
    const fetch: RemoteChain['fetch'] = async (missing) => {
      if (this.opened !== fork) throw new RequestFailedError('the chain was replaced meanwhile');
      const fetched = fork.remote.fetch(missing);
      fetching.add(fetched);
      try {
        await fetched;
      } finally {
        fetching.delete(fetched);
      }
      this.#progress.note(missing.entries.length);
    };
    return { fork, remote: { ...fork.remote, fetch }, closers, fetching, former: undefined };
  }

  #use(parts: Parts): void {
    const { fork } = parts;
    this.#parts = parts;
    this.remote = parts.remote;
    this.#progress.follow(() => fork.upstream?.counts);
    const { number, hasNewerRules } = fork.point;
    if (hasNewerRules) this.#events.onNotice?.({ kind: 'forkRulesNewer', number });
  }

  /** Returns the settings of another fork. Headers are for the origin of their URL alone. */
  #configurationFor({ url: named, block }: ForkChoice): ChosenFork {
    const present = this.#configuration;
    const former = present?.source.kind === 'remote' ? present.source.url : undefined;
    const url = named ?? former;
    if (url === undefined) throw new RequestFailedError(this.#parts === undefined ? NO_FORK : NO_REMOTE_NODE);
    const isSame = former !== undefined && originOf(url) === originOf(former);
    return {
      ...(present ?? DEFAULT_FORK),
      source: { kind: 'remote', url, block },
      transaction: undefined,
      chainId: undefined,
      ...(!isSame && { headers: [] }),
    };
  }

  /** Runs one change at a time. */
  async #alone(change: () => Promise<void>): Promise<void> {
    if (this.#isBusy) throw new RequestFailedError('the fork is being changed already: wait for it');
    this.#isBusy = true;
    try {
      await reportingRemote(change);
    } finally {
      this.#isBusy = false;
    }
  }
}

const NO_FORK = 'the chain is no fork: name the jsonRpcUrl of a remote node';
const NO_REMOTE_NODE = 'the node was started without a remote node: name its jsonRpcUrl, too';

/** Closes a fork: its stores after the last fetch, which its closed remote node ends. */
async function retire({ fork, closers, fetching, former }: Parts): Promise<void> {
  await fork.upstream?.close();
  await former?.close();
  await Promise.allSettled(fetching);
  await closers.close();
}

/** Returns true for a block of the same chain: chains with the same first blocks may have other ids. */
function isSamePoint(left: ForkPoint, right: ForkPoint): boolean {
  return left.chainId === right.chainId && equalBytes(left.hash, right.hash);
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
