import { serializedBlock, storedBlock } from '../../ledger/index.ts';
import { Closers } from '../closers.ts';
import { LogUnavailableError, LogUnsoundError } from '../log/block-log.ts';
import { shownLogAddress } from '../log/jetstream/log-address.ts';
import { LogConnection } from '../log/jetstream/log-connection.ts';
import type { LogSettings } from '../log/jetstream/log-settings.ts';
import { type OpenLog, openOn } from '../log/jetstream/open-log.ts';
import { checkServer, checkSync } from '../log/jetstream/server-checks.ts';
import { findStream, namesOf } from '../log/jetstream/stream.ts';
import { checkStream } from '../log/jetstream/stream-checks.ts';
import { openStoredChain, type StoredChain } from '../stored-chain.ts';
import { logChainOf } from './seed-log.ts';

/** A server that keeps a log. */
export interface LogKeeper {
  readonly name: string;
  readonly isLeader: boolean;
  /** Whether it has all that the leader has. */
  readonly isCurrent: boolean;
  readonly isOffline: boolean;
  /** Messages that it lacks. */
  readonly lag: number;
}

/** What an operator wants to know of a chain's log. */
export interface LogReport {
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
        readonly keepers: readonly LogKeeper[];
      }
    | undefined;
  /** Number of the log's newest block; undefined where nobody can say. */
  readonly head: number | undefined;
  readonly storeHead: number;
  /** Whether store and log have the same newest common block; undefined where they have none, or it cannot be read. */
  readonly isSameChain: boolean | undefined;
  /** What a node would refuse to start with. */
  readonly problems: readonly string[];
}

/**
 * Tells what the log of a folder's chain has, also while nodes work with it. Nothing is created or changed.
 *
 * @throws DataFolderError, StoreError, LogUnavailableError where no server answers, LogUnsoundError for credentials
 */
export async function describeLog(dataDir: string, settings: LogSettings): Promise<LogReport> {
  const closers = new Closers();
  try {
    const chain = openStoredChain(dataDir, closers);
    const logged = logChainOf(chain);
    const connection = await LogConnection.open(settings);
    closers.add(() => connection.close());
    const problems: string[] = [];
    const note = async <T>(ask: () => Promise<T> | T): Promise<T | undefined> => {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof LogUnavailableError || error instanceof LogUnsoundError)) throw error;
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
      url: shownLogAddress(settings.address),
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

function describeStream({ created, state, config, cluster }: OpenLog['info']): LogReport['found'] {
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

/** Compares the newest block that store and log both have. It is there, so that nothing is appended. */
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
