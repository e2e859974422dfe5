import { serializedBlock, storedBlock } from '../../ledger/index.ts';
import { BlockLogUnavailableError, BlockLogUnsoundError } from '../block-log/block-log.ts';
import { shownBlockLogAddress } from '../block-log/jetstream/log-address.ts';
import { LogConnection } from '../block-log/jetstream/log-connection.ts';
import type { BlockLogSettings } from '../block-log/jetstream/log-settings.ts';
import { type OpenLog, openOn } from '../block-log/jetstream/open-log.ts';
import { checkServer, checkSync } from '../block-log/jetstream/server-checks.ts';
import { findStream, namesOf } from '../block-log/jetstream/stream.ts';
import { checkStream } from '../block-log/jetstream/stream-checks.ts';
import { Closers } from '../closers.ts';
import { openStoredChain, type StoredChain } from '../stored-chain.ts';
import { chainIdentityOf } from './seed-block-log.ts';

/** A server that keeps a block log. */
export interface BlockLogKeeper {
  readonly name: string;
  readonly isLeader: boolean;
  /** Whether it has all that the leader has. */
  readonly isCurrent: boolean;
  readonly isOffline: boolean;
  /** Messages that it lacks. */
  readonly lag: number;
}

/** What an operator wants to know of a chain's block log. */
export interface BlockLogReport {
  readonly url: string;
  /** The server that answered. */
  readonly server: string;
  readonly stream: string;
  /** What is there of the stream; undefined where there is none. */
  readonly found:
    | {
        readonly created: string;
        readonly messages: number;
        readonly bytes: number;
        readonly replicas: number;
        readonly keepers: readonly BlockLogKeeper[];
      }
    | undefined;
  /** Number of the block log's newest block; undefined where nobody can say. */
  readonly head: number | undefined;
  readonly storeHead: number;
  /**
   * Whether store and block log have the same newest common block; undefined where they have none, or it cannot be
   * read.
   */
  readonly isSameChain: boolean | undefined;
  /** What a node would refuse to start with. */
  readonly problems: readonly string[];
}

/**
 * Tells what the block log of a folder's chain has, also while nodes work with it. Nothing is created or changed.
 *
 * @throws DataFolderError, StoreError, BlockLogUnavailableError where no server answers, BlockLogUnsoundError for
 *   credentials
 */
export async function describeBlockLog(dataDir: string, settings: BlockLogSettings): Promise<BlockLogReport> {
  const closers = new Closers();
  try {
    const chain = openStoredChain(dataDir, closers);
    const logged = chainIdentityOf(chain);
    const connection = await LogConnection.open(settings);
    closers.add(() => connection.close());
    const problems: string[] = [];
    const note = async <T>(ask: () => Promise<T> | T): Promise<T | undefined> => {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof BlockLogUnavailableError || error instanceof BlockLogUnsoundError))
          throw error;
        problems.push(error.message);
        return undefined;
      }
    };
    const { stream } = namesOf(logged);
    await note(() => checkServer(connection));
    const info = await note(() => findStream(connection, stream));
    if (info === undefined && problems.length === 0) problems.push(`there is no stream ${stream}`);
    if (info !== undefined) {
      await note(() => checkStream(info, logged, settings.replicas));
      await note(() => checkSync(info, connection, settings));
    }
    const open = info === undefined ? undefined : openOn(connection, logged, info);
    const head = open === undefined ? undefined : await note(() => open.log.head());
    const isSameChain =
      open === undefined || head === undefined ? undefined : await note(() => compare(open, chain, head));
    return {
      url: shownBlockLogAddress(settings.address),
      server: connection.nats.info?.server_name ?? '',
      stream,
      found: info === undefined ? undefined : describeStream(info),
      head,
      storeHead: chain.head,
      isSameChain,
      problems,
    };
  } finally {
    await closers.close();
  }
}

function describeStream({ created, state, config, cluster }: OpenLog['info']): BlockLogReport['found'] {
  const { messages, bytes } = state;
  const followers = (cluster?.replicas ?? []).map(({ name, current, offline, lag }) => ({
    name,
    isLeader: false,
    isCurrent: current,
    isOffline: offline === true,
    lag: lag ?? 0,
  }));
  const leader = cluster?.leader;
  const leading =
    leader === undefined || leader === ''
      ? []
      : [{ name: leader, isLeader: true, isCurrent: true, isOffline: false, lag: 0 }];
  return { created, messages, bytes, replicas: config.num_replicas, keepers: [...leading, ...followers] };
}

/** Compares the newest block that store and block log both have. It is there, so that nothing is appended. */
async function compare(
  open: OpenLog,
  { store, head }: StoredChain,
  logged: number,
): Promise<boolean | undefined> {
  const number = Math.min(head, logged);
  const [own, parent] = [serializedBlock(store, number), storedBlock(store, number - 1)];
  if (number === 0 || own === undefined || parent === undefined) return undefined;
  return (await open.log.has(number, parent.id, own)) === 'appended';
}
