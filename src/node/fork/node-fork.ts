import { HttpUpstream } from '../../fork/index.ts';
import { type ForkChoice, type ForkedChain, type RemoteChain, RequestFailedError } from '../../rpc/index.ts';
import { backgroundTime } from '../../time.ts';
import { type Closers, openAll } from '../closers.ts';
import type { NodeEvents } from '../events.ts';
import { DEFAULT_FORK, type ForkConfiguration } from '../fork-configuration.ts';
import { FetchProgress } from './fetch-progress.ts';
import { type ForkFolder, type OpenedFork, openFork, reportingRemote } from './open-fork.ts';

interface Parts {
  readonly fork: OpenedFork;
  readonly remote: RemoteChain;
  readonly closers: Closers;
  /** Fetches that have not ended. */
  readonly fetching: Set<Promise<void>>;
}

/** The fork of a running node in test mode: owns its remote node, entries and history, which a reset replaces. */
export class NodeFork implements ForkedChain {
  /** Set with the parts: each request reads it. */
  remote: RemoteChain | undefined;
  readonly #progress: FetchProgress;
  readonly #events: NodeEvents;
  #configuration: ForkConfiguration | undefined;
  #parts: Parts | undefined;
  #isBusy = false;

  private constructor(configuration: ForkConfiguration | undefined, events: NodeEvents) {
    this.#configuration = configuration;
    this.#progress = new FetchProgress(backgroundTime, events);
    this.#events = events;
  }

  /** Opens the fork of a configuration or of a data folder, if there is one. Rejects as `openFork`. */
  static async open(
    configuration: ForkConfiguration | undefined,
    folder: ForkFolder | undefined,
    events: NodeEvents,
    closers: Closers,
  ): Promise<NodeFork> {
    const opened = new NodeFork(configuration, events);
    const parts = await opened.#open(configuration, folder);
    if (parts !== undefined) opened.#use(parts);
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
        await parts.fork.connect({ upstream, verifies: configuration.verifies });
      } catch (error) {
        await upstream.close();
        throw error;
      }
      parts.closers.add(() => upstream.close());
      this.#configuration = configuration;
      this.#progress.follow(() => parts.fork.upstream?.counts);
    });
  }

  /**
   * Opens another fork, and closes the present one once an action has replaced the chain. Rejects with an RpcError, and
   * as the action; nothing is changed then.
   */
  replace(choice: ForkChoice, adopt: (fork: OpenedFork) => Promise<void>): Promise<void> {
    return this.#alone(async () => {
      const configuration = this.#configurationFor(choice);
      const parts = await this.#open(configuration, undefined);
      if (parts === undefined) return;
      try {
        await adopt(parts.fork);
      } catch (error) {
        await parts.closers.close();
        throw error;
      }
      const former = this.#parts;
      this.#configuration = configuration;
      this.#use(parts);
      if (former !== undefined) await retire(former);
    });
  }

  async #close(): Promise<void> {
    this.#progress.stop();
    if (this.#parts !== undefined) await retire(this.#parts);
  }

  #open(
    configuration: ForkConfiguration | undefined,
    folder: ForkFolder | undefined,
  ): Promise<Parts | undefined> {
    return openAll(async (closers) => {
      const fork = await openFork(configuration, folder, closers);
      if (fork === undefined) return undefined;
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
      return { fork, remote: { ...fork.remote, fetch }, closers, fetching };
    });
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
  #configurationFor({ url: named, block }: ForkChoice): ForkConfiguration {
    const present = this.#configuration;
    const former = present?.source.kind === 'remote' ? present.source.url : undefined;
    const url = named ?? former;
    if (url === undefined) throw new RequestFailedError(NO_FORK);
    const isSame = former !== undefined && originOf(url) === originOf(former);
    return {
      ...(present ?? DEFAULT_FORK),
      ...{ source: { kind: 'remote', url, block }, transaction: undefined, chainId: undefined },
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

/** Closes a fork: its stores after the last fetch, which its closed remote node ends. */
async function retire({ fork, closers, fetching }: Parts): Promise<void> {
  await fork.upstream?.close();
  await Promise.allSettled(fetching);
  await closers.close();
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
