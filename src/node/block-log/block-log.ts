import type { Ledger } from '../../ledger/index.ts';
import { type BlockId, type Hash, LedgerdError } from '../../protocol/index.ts';
import type { Time } from '../../time/time.ts';
import type { AppendOutcome, BlockPipeline } from '../block-pipeline.ts';
import type { NodeEvents } from '../events.ts';

/** Milliseconds before a failed request to a block log, or a failed append, is retried. */
export const BLOCK_LOG_RETRY_MS = 250;

/** The log is unavailable, or the outcome of an append is unknown. The caller retries with the same block. */
export class BlockLogUnavailableError extends LedgerdError {
  override readonly code = 'LOG_UNAVAILABLE';
}

/** The log changed its history, or is not safe to use. The node halts until an operator has acted. */
export class BlockLogUnsoundError extends LedgerdError {
  override readonly code = 'LOG_UNSOUND';
}

/** The one order of a chain's blocks. Appending is compare-and-append: it succeeds for one block at each number. */
export interface BlockLog {
  /** Address without credentials. */
  readonly url: string;
  /** Number of leader elections since it was opened. */
  readonly elections: number;
  /**
   * Appends a block after its parent. The log's leader decides, so a returned outcome is final.
   * @throws BlockLogUnavailableError when the outcome is unknown, BlockLogUnsoundError
   */
  append(number: number, parent: BlockId, bytes: Uint8Array): Promise<AppendOutcome>;
  /**
   * Returns the number of the leader's newest block; 0 for an empty log.
   * @throws BlockLogUnavailableError, BlockLogUnsoundError
   */
  head(): Promise<number>;
  /**
   * Returns serialized blocks from a number on, in order and without a gap, then new ones, until the signal is aborted.
   * @throws BlockLogUnavailableError, BlockLogUnsoundError
   */
  read(from: number, stop: AbortSignal): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** At-most-once delivery of one kind of message between the nodes of a chain. */
export interface MessageExchange {
  /** Sends a message to all other nodes that listen. May lose it silently. */
  publish(message: Uint8Array): void;
  /** Calls back with messages of other nodes. Returns the function that unsubscribes. */
  onMessage(listener: (message: Uint8Array) => void): () => void;
}

/** The log and the exchanges that a node shares with the other nodes of its chain. */
export interface OpenedBlockLog {
  readonly log: BlockLog;
  /** Carries transactions. The node that accepted one repeats it until it is included. */
  readonly exchange: MessageExchange;
  /** Carries readings of the producers' clocks. */
  readonly clocks: MessageExchange;
}

/** A node of a cluster: its shared log, its ledger and its callbacks. */
export interface ClusterNode extends OpenedBlockLog {
  readonly ledger: Ledger;
  readonly pipeline: BlockPipeline;
  readonly time: Time;
  readonly intervalMs: number;
  readonly events: Pick<NodeEvents, 'onNotice'>;
  /** Returns true if nothing but the log prevents the node from making a block. */
  mayProduce(): boolean;
  /** Returns true while no block can be added. */
  isPaused(): boolean;
  onFailure(task: string, error: unknown): void;
}

/** The identity of a chain on the servers of block logs. */
export interface ChainIdentity {
  /** Native id, a digest of the genesis. */
  readonly chainId: Hash;
  readonly genesisId: BlockId;
}

/** A block log that can be compared with a store, and created from it. */
export interface SeedableBlockLog extends BlockLog {
  readonly name: string;
  /**
   * Compares a block with the log's block of that number: `appended` if they are equal, else `conflict`.
   * @throws BlockLogUnavailableError, BlockLogUnsoundError
   */
  has(number: number, parent: BlockId, bytes: Uint8Array): Promise<AppendOutcome>;
  /**
   * Appends many blocks to a log without other writers.
   * @param blocks serialized blocks that follow each other and the log's last one
   * @param onAppended called with the number of the last stored block
   * @throws BlockLogUnavailableError; BlockLogUnsoundError if another node appended
   */
  appendAll(
    blocks: Iterable<readonly [number: number, bytes: Uint8Array]>,
    onAppended: (number: number) => void,
  ): Promise<void>;
}

export interface BlockLogReplica {
  readonly name: string;
  readonly isLeader: boolean;
  /** True if it has all messages of the leader. */
  readonly isCurrent: boolean;
  readonly isOffline: boolean;
  /** Number of missing messages. */
  readonly lag: number;
}

export interface BlockLogDescription {
  readonly server: string;
  readonly stream: string;
  /** The stream; undefined if it does not exist. */
  readonly found:
    | {
        readonly created: string;
        readonly messages: number;
        readonly bytes: number;
        readonly replicas: number;
        readonly keepers: readonly BlockLogReplica[];
      }
    | undefined;
  /** Reasons for which a node would refuse to start with it. */
  readonly problems: readonly string[];
}

/** A block log as found, safe or not. */
export interface BlockLogInspection {
  readonly description: BlockLogDescription;
  /** The log; undefined if it does not exist. */
  readonly log: SeedableBlockLog | undefined;
  close(): Promise<void>;
}

/** A block log that an operator configured. */
export interface BlockLogSource {
  /** Address without credentials. */
  readonly url: string;
  /**
   * Opens the log for a node. A missing log is created for a node without blocks.
   * @throws BlockLogUnavailableError, BlockLogUnsoundError
   */
  open(chain: ChainIdentity & { readonly head: number }): Promise<OpenedBlockLog>;
  /**
   * Opens the log for the blocks of a store, and creates a missing one.
   * @throws BlockLogUnavailableError, BlockLogUnsoundError, and the reason of `stop`
   */
  openToSeed(chain: ChainIdentity, stop: AbortSignal): Promise<SeedableBlockLog>;
  /**
   * Describes the log without a change to it.
   * @param chain undefined: the one chain of which the servers have a log
   * @throws BlockLogUnavailableError if no server responds, BlockLogUnsoundError for credentials, and without a chain
   *   for servers with no log or several
   */
  inspect(chain: ChainIdentity | undefined): Promise<BlockLogInspection>;
}

/** Settings of a block log besides its address. An implementation uses those that apply to it. */
export interface BlockLogOptions {
  /** File with the credentials of a user (`.creds`); undefined: those of the address. */
  readonly credentialsFile: string | undefined;
  /** File with the certificates of trusted authorities; undefined: the system's. */
  readonly authorityFile: string | undefined;
  /** Least number of replicas of the log. A new log gets this number. */
  readonly replicas: number;
  /** URLs of the monitoring ports of its servers. */
  readonly monitors: readonly string[];
  /** True if the operator asserts that its servers sync writes to disk before they confirm them. */
  readonly assumeSynced: boolean;
}

export interface BlockLogAddress extends Pick<BlockLogSource, 'url'> {
  source(options: BlockLogOptions): BlockLogSource;
}

/** Runs a query of a block log; on an error of the log adds its message to the problems and returns undefined. */
export async function collectProblem<T>(
  problems: string[],
  query: () => Promise<T> | T,
): Promise<T | undefined> {
  try {
    return await query();
  } catch (error) {
    if (!(error instanceof BlockLogUnavailableError || error instanceof BlockLogUnsoundError)) throw error;
    problems.push(error.message);
    return undefined;
  }
}
