import type { BlockId, Hash } from '../../protocol/index.ts';
import type { AppendOutcome } from '../ledger-work.ts';
import type { BlockLog, MessageExchange } from './block-log.ts';

/** What a node shares with the other nodes of its chain. */
export interface OpenedBlockLog {
  readonly log: BlockLog;
  /** Carries transactions: the node that accepted one sends it again until it is done. */
  readonly exchange: MessageExchange;
  /** Carries readings of the producers' clocks. */
  readonly clocks: MessageExchange;
}

/** Which chain a log is of. */
export interface ChainIdentity {
  /** Its native id, which says all that its genesis does. */
  readonly chainId: Hash;
  /** Id of the block that block 1 follows. */
  readonly genesisId: BlockId;
}

/** The chain that a log is opened for. */
export interface BlockLogChain extends ChainIdentity {
  /** Number of the newest block in the node's store. */
  readonly head: number;
}

/** A block log that can be compared with a store, and made of it. */
export interface SeedableBlockLog extends BlockLog {
  /** What its servers call it. */
  readonly name: string;
  /**
   * Compares a block with that of a log that is long enough for it: `appended` if it is the same, `conflict` if not.
   *
   * @throws BlockLogUnavailableError, BlockLogUnsoundError
   */
  has(number: number, parent: BlockId, bytes: Uint8Array): Promise<AppendOutcome>;
  /**
   * Appends many blocks, several at a time: to a log that nobody else appends to.
   *
   * @param blocks serialized blocks that follow each other and the log's last one
   * @param onAppended told of the number of the last block that is there
   * @throws BlockLogUnavailableError; BlockLogUnsoundError where somebody else appended
   */
  appendAll(
    blocks: Iterable<readonly [number: number, bytes: Uint8Array]>,
    onAppended: (number: number) => void,
  ): Promise<void>;
}

/** A server that keeps a block log. */
export interface BlockLogKeeper {
  readonly name: string;
  readonly isLeader: boolean;
  /** True if it has all that the leader has. */
  readonly isCurrent: boolean;
  readonly isOffline: boolean;
  /** Messages that it lacks. */
  readonly lag: number;
}

/** What the servers of a block log say of it. */
export interface BlockLogDescription {
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
  /** What a node would refuse to start with. */
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
  /** Its address as operators may see it: without credentials. */
  readonly url: string;
  /**
   * Opens the log that a node works with. A log that is not there is created for a node that has no block yet.
   *
   * @throws BlockLogUnavailableError, BlockLogUnsoundError
   */
  open(chain: BlockLogChain): Promise<OpenedBlockLog>;
  /**
   * Opens the log that gets a store's blocks, and creates one that is not there.
   *
   * @throws BlockLogUnavailableError, BlockLogUnsoundError, and the reason of `stop`
   */
  openToSeed(chain: ChainIdentity, stop: AbortSignal): Promise<SeedableBlockLog>;
  /**
   * Describes the log without a change to it.
   *
   * @throws BlockLogUnavailableError where no server answers, BlockLogUnsoundError for credentials
   */
  inspect(chain: ChainIdentity): Promise<BlockLogInspection>;
}

/** What an operator says of a block log beside its address. An implementation uses what applies to it. */
export interface BlockLogOptions {
  /** File with the credentials of a user (`.creds`); undefined for none but those of the address. */
  readonly credentialsFile: string | undefined;
  /** File with the certificates of the authorities that its servers are believed by; undefined for the system's. */
  readonly authorityFile: string | undefined;
  /** Replicas that the log has to have at least, and that a new one gets. */
  readonly replicas: number;
  /** URLs of the monitoring ports of its servers. */
  readonly monitors: readonly string[];
  /** True if the operator vouches for it that its servers write to their disks before they confirm. */
  readonly assumeSynced: boolean;
}

/** The address of a block log, which tells its implementation. */
export interface BlockLogAddress extends Pick<BlockLogSource, 'url'> {
  source(options: BlockLogOptions): BlockLogSource;
}

/** An implementation of block logs. */
export interface BlockLogImplementation {
  /** What its addresses look like, in words. */
  readonly addressForm: string;
  /** Parses an address, which begins with one of its schemes; returns undefined for a text that is something else. */
  parseAddress(text: string): BlockLogAddress | undefined;
}
