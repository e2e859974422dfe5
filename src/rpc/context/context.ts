import type { ArtifactRegistry } from '../../contracts/index.ts';
import type { InclusionWatch, Ledger, RegistrationDesk, TestChain } from '../../ledger/index.ts';
import {
  BATCH_REQUESTS_MAX,
  BATCH_RESPONSE_CHARACTERS_MAX,
  BATCH_TIME_MS_MAX,
  CALL_GAS_MAX,
  CALL_TIME_MS_MAX,
  FILTER_CRITERIA_MAX,
  FILTER_TIMEOUT_SECONDS,
  FILTERS_MAX,
  JSON_DEPTH_MAX,
  JSON_VALUES_MAX,
  LOGS_MAX,
  TRACE_BYTES_MAX,
  TRACE_TIME_MS_MAX,
  TURN_MS_MAX,
} from '../../limits.ts';
import type { LongWork } from '../../long-work.ts';
import type { Address } from '../../protocol/index.ts';
import type { Time } from '../../time.ts';
import type { Wallet } from '../../wallet/index.ts';
import type { ChainControl } from './chain-control.ts';
import type { EthereumKeys } from './ethereum-keys.ts';

/** How far a node that is catching up with others has come: docs/interface.md#sync-status. */
export interface SyncStatus {
  readonly startingBlock: number;
  readonly currentBlock: number;
  readonly highestBlock: number;
}

/** What a node knows of the log of blocks that it shares with the other nodes of a cluster. */
export interface LogStatus {
  /** Where it is, as operators know it. */
  readonly url: string;
  /** Number of the newest block that it is known to have. */
  readonly head: number;
  /** Blocks that it is known to have and that this node has not yet. */
  readonly lagBlocks: number;
  /** Seconds since the first of them was known of; 0 where there are none. */
  readonly lagSeconds: number;
  /** Seconds since it answered last. */
  readonly silentSeconds: number;
  /** How often it could not be asked any more since the start. */
  readonly losses: number;
  /** How often it was seen to have another leader since the start. */
  readonly elections: number;
  /** Why nothing is made or taken over any more until an operator has looked; undefined while all is well. */
  readonly halted: string | undefined;
  /** What became of the blocks that this node appended: a block that was appended again counts again. */
  readonly appends: {
    readonly appended: number;
    /** Another block had the place. */
    readonly conflicts: number;
    /** Nobody could say. */
    readonly unavailable: number;
  };
  /** Transactions that went between this node and the others. */
  readonly transactions: {
    /** Sent to the others for the first time, and again. */
    readonly published: number;
    readonly republished: number;
    /** What others sent. */
    readonly received: number;
    /** What of that waits for a block here since then. */
    readonly taken: number;
    /** What of that was here already, or in a block. */
    readonly known: number;
    /** What of that the rules do not allow, or is no transaction. */
    readonly refused: number;
    /** What of that there was no room for. */
    readonly dropped: number;
  };
}

/** What the node knows of itself and of other nodes. */
export interface NodeStatus {
  /** Whether the node listens for connections. */
  listening(): boolean;
  peerCount(): number;
  /** Undefined when the node is not catching up. */
  syncing(): SyncStatus | undefined;
  /** Whether nothing keeps the node from making the blocks that are its turn. */
  mayProduce(): boolean;
  /** Undefined, or absent: the node's own store says what its blocks are. */
  log?(): LogStatus | undefined;
}

/** A node that knows no others. */
export const STANDALONE_STATUS: NodeStatus = {
  listening: () => true,
  peerCount: () => 0,
  syncing: () => undefined,
  mayProduce: () => true,
};

/** The bounds of the interface that an operator may move. */
export interface RpcLimits {
  /** Requests in one batch. */
  readonly batchRequestsMax: number;
  /** Characters of the response to one batch. */
  readonly batchResponseCharactersMax: number;
  /** Milliseconds of computing for one batch. */
  readonly batchTimeMsMax: number;
  /** Milliseconds that calls which may take long run before everything else gets its turn. */
  readonly turnMsMax: number;
  /** How deep a request may be nested. */
  readonly jsonDepthMax: number;
  /** JSON values that one body may hold. */
  readonly jsonValuesMax: number;
  /** Gas of one `eth_call` or `eth_estimateGas`. */
  readonly callGasMax: bigint;
  /** Milliseconds of computing for one `eth_call` or `eth_estimateGas`. */
  readonly callTimeMsMax: number;
  /** Bytes of the traces of one request. */
  readonly traceBytesMax: number;
  /** Milliseconds of computing for the traces of one request. */
  readonly traceTimeMsMax: number;
  /** Logs in one response; hashes in the response of a block filter or of a pending-transaction filter. */
  readonly logsMax: number;
  /** Filters at one time. */
  readonly filtersMax: number;
  /** Addresses and topics that all filters name together. */
  readonly filterCriteriaMax: number;
  /** Seconds after which a filter is removed that nobody polls. */
  readonly filterTimeoutSeconds: number;
}

export const DEFAULT_RPC_LIMITS: RpcLimits = {
  batchRequestsMax: BATCH_REQUESTS_MAX,
  batchResponseCharactersMax: BATCH_RESPONSE_CHARACTERS_MAX,
  batchTimeMsMax: BATCH_TIME_MS_MAX,
  turnMsMax: TURN_MS_MAX,
  jsonDepthMax: JSON_DEPTH_MAX,
  jsonValuesMax: JSON_VALUES_MAX,
  callGasMax: CALL_GAS_MAX,
  callTimeMsMax: CALL_TIME_MS_MAX,
  traceBytesMax: TRACE_BYTES_MAX,
  traceTimeMsMax: TRACE_TIME_MS_MAX,
  logsMax: LOGS_MAX,
  filtersMax: FILTERS_MAX,
  filterCriteriaMax: FILTER_CRITERIA_MAX,
  filterTimeoutSeconds: FILTER_TIMEOUT_SECONDS,
};

/**
 * How a call ends: with a result; a contract that reverted; something that the ledger, the wallet or the method
 * refused; a request or parameters that are wrong; a method that there is not; a bound of the node; a failure of the
 * node itself.
 */
export const OUTCOMES = ['result', 'reverted', 'refused', 'invalid', 'unknown', 'limited', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Name in counts of what calls no method of the interface. */
export const OTHER_METHOD = 'other';

/** The chain of test mode as bytes. */
export interface ChainDumps {
  /** The whole chain. Rejects with an RpcError where that is too much. */
  dump(): Promise<Uint8Array>;
  /** Puts the chain of a dump in the place of the present one. Rejects with an RpcError for anything else. */
  load(bytes: Uint8Array): Promise<void>;
}

/** What a node gives to its methods. */
export interface RpcContext {
  readonly ledger: Ledger;
  /** Undefined outside test mode: the methods of test mode do not exist then. */
  readonly wallet: Wallet | undefined;
  /** Accounts of Ethereum's keys that the node signs for; absent: none. */
  readonly keys?: EthereumKeys | undefined;
  /** Whether Ethereum transactions are taken that are signed for every chain (from before EIP-155); absent: no. */
  readonly allowUnprotected?: boolean | undefined;
  /** Rules over the blocks of a test chain; undefined outside test mode. */
  readonly control?: ChainControl | undefined;
  /** What a test can do to the chain; in test mode only. */
  readonly testChain?: TestChain | undefined;
  /** What is known of contracts; in test mode only. */
  readonly artifacts?: ArtifactRegistry | undefined;
  /** The chain as bytes; in test mode only. */
  readonly dumps?: ChainDumps | undefined;
  /** Absent: the node does not hold the registrar's key and registers nobody. */
  readonly registration?: RegistrationDesk | undefined;
  /** Where sends wait for their blocks; who gives it ends the waits. Absent: the dispatcher's own. */
  readonly inclusions?: InclusionWatch | undefined;
  /** The version of the program. */
  readonly version: string;
  /** Absent: a node that knows no others. */
  readonly nodeStatus?: NodeStatus | undefined;
  /** Number of the node in its cluster, with which its filters' ids begin; absent: a node that is alone. */
  readonly nodeNumber?: number | undefined;
  /** Bounds other than the default ones. */
  readonly limits?: Partial<RpcLimits> | undefined;
  /** Turns and the time-outs of filters go by it. Absent: the system's. */
  readonly time?: Time | undefined;
  /** Shared with whatever else may take long on this thread. Absent: there is nothing else. */
  readonly longWork?: LongWork | undefined;
  /** Told of each balance that a test has set to less than it asked for, the most there is; both in Wei. */
  onBalanceCut?(address: Address, asked: bigint, most: bigint): void;
  /** Told of each failure of the node itself, which callers only see as "internal error". */
  onFailure?(method: string, error: unknown): void;
  /**
   * Told of each call that fails, notifications included, with the message that the caller gets; what is no call
   * of a method goes by the name `request`.
   */
  onFailedCall?(method: string, message: string): void;
  /**
   * Told of each call when it is answered, notifications included. The method is one of the interface, or
   * `OTHER_METHOD`. The time runs from when its body is read, or its batch has come to it, and includes the wait for
   * its turn.
   */
  onCall?(method: string, outcome: Outcome, milliseconds: number): void;
}
