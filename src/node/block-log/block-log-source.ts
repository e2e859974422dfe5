import type { Ledger } from '../../ledger/index.ts';
import type { BlockId, Hash } from '../../protocol/index.ts';
import type { Time } from '../../time.ts';
import type { AppendOutcome, BlockPipeline } from '../block-pipeline.ts';
import type { NodeEvents } from '../events.ts';
import type { BlockLog, MessageExchange } from './block-log.ts';

/** The log and the exchanges that a node shares with the other nodes of its chain. */
export interface OpenedBlockLog {
  readonly log: BlockLog;
  /** Carries transactions: the node that accepted one repeats it until it is included. */
  readonly exchange: MessageExchange;
  /** Carries readings of the producers' clocks. */
  readonly clocks: MessageExchange;
}

export interface ClusterNode extends OpenedBlockLog {
  readonly ledger: Ledger;
  readonly work: BlockPipeline;
  readonly time: Time;
  readonly intervalMs: number;
  readonly events: Pick<NodeEvents, 'onNotice'>;
  /** True if only the log may keep the node from making a block. */
  mayProduce(): boolean;
  /** True while no block can be added. */
  isPaused(): boolean;
  onFailure(task: string, error: unknown): void;
}

export interface ChainIdentity {
  /** Its native id, a digest of its genesis. */
  readonly chainId: Hash;
  /** Id of the block that block 1 follows. */
  readonly genesisId: BlockId;
}

/** A block log that can be compared with a store, and created from it. */
export interface SeedableBlockLog extends BlockLog {
  /** Its name on its servers. */
  readonly name: string;
  /**
   * Compares a block with that of a log that has its number: `appended` if it is the same, else `conflict`.
   * @throws BlockLogUnavailableError, BlockLogUnsoundError
   */
  has(number: number, parent: BlockId, bytes: Uint8Array): Promise<AppendOutcome>;
  /**
   * Appends many blocks to a log that nobody else appends to.
   * @param blocks serialized blocks that follow each other and the log's last one
   * @param onAppended called with the number of the last stored block
   * @throws BlockLogUnavailableError; BlockLogUnsoundError where another node appended
   */
  appendAll(
    blocks: Iterable<readonly [number: number, bytes: Uint8Array]>,
    onAppended: (number: number) => void,
  ): Promise<void>;
}

export interface BlockLogReplica {
  readonly name: string;
  readonly isLeader: boolean;
  /** True if it has all that the leader has. */
  readonly isCurrent: boolean;
  readonly isOffline: boolean;
  /** Messages that it lacks. */
  readonly lag: number;
}

export interface BlockLogDescription {
  readonly server: string;
  readonly stream: string;
  /** The stream; undefined where there is none. */
  readonly found:
    | {
        readonly created: string;
        readonly messages: number;
        readonly bytes: number;
        readonly replicas: number;
        readonly keepers: readonly BlockLogReplica[];
      }
    | undefined;
  /** Reasons why a node would refuse to start with it. */
  readonly problems: readonly string[];
}

/** A block log as it is found, safe or not. */
export interface BlockLogInspection {
  readonly description: BlockLogDescription;
  /** Undefined where there is none. */
  readonly log: SeedableBlockLog | undefined;
  close(): Promise<void>;
}

/** A block log that an operator names. */
export interface BlockLogSource {
  /** Its address without credentials. */
  readonly url: string;
  /**
   * Opens the log for a node. A missing log is created for a node that has no block yet.
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
   * @throws BlockLogUnavailableError where no server answers, BlockLogUnsoundError for credentials
   */
  inspect(chain: ChainIdentity): Promise<BlockLogInspection>;
}

/** Settings of a block log beside its address. An implementation uses those that apply to it. */
export interface BlockLogOptions {
  /** File with the credentials of a user (`.creds`); undefined: those of the address. */
  readonly credentialsFile: string | undefined;
  /** File with the certificates of trusted authorities; undefined: the system's. */
  readonly authorityFile: string | undefined;
  /** Replicas that the log must have at least, and that a new one gets. */
  readonly replicas: number;
  /** URLs of the monitoring ports of its servers. */
  readonly monitors: readonly string[];
  /** True if the operator asserts that its servers sync writes to disk before they confirm them. */
  readonly assumeSynced: boolean;
}

/** The address of a block log, whose scheme selects an implementation. */
export interface BlockLogAddress extends Pick<BlockLogSource, 'url'> {
  source(options: BlockLogOptions): BlockLogSource;
}

export interface BlockLogImplementation {
  readonly addressForm: string;
  /** Parses an address that begins with one of its schemes; returns undefined for any other text. */
  parseAddress(text: string): BlockLogAddress | undefined;
}
