import { quantity } from '../../protocol/index.ts';

/** Progress of a node that is catching up: docs/interface.md#sync-status. */
export interface SyncStatus {
  readonly startingBlock: number;
  readonly currentBlock: number;
  readonly highestBlock: number;
}

/** Returns a progress as a response shows it. */
export function toSyncStatus({ startingBlock, currentBlock, highestBlock }: SyncStatus) {
  return {
    startingBlock: quantity(startingBlock),
    currentBlock: quantity(currentBlock),
    highestBlock: quantity(highestBlock),
  };
}

/** State of the block log of a cluster, as a node sees it. */
export interface BlockLogStatus {
  readonly url: string;
  /** Number of the newest block that the log is known to have. */
  readonly head: number;
  /** Number of blocks in the log that this node has not applied yet. */
  readonly lagBlocks: number;
  /** Seconds since the first of them was seen; 0 for none. */
  readonly lagSeconds: number;
  /** Seconds since its last response. */
  readonly silentSeconds: number;
  /** Number of times that it became unreachable. */
  readonly losses: number;
  readonly elections: number;
  /**
   * Reason why the node stopped producing and applying blocks until an operator intervenes; undefined if it has not.
   */
  readonly halted: string | undefined;
  /** Outcomes of appends of this node; a repeated append counts again. */
  readonly appends: {
    readonly appended: number;
    /** Another block has the number. */
    readonly conflicts: number;
    readonly unavailable: number;
  };
  readonly transactions: {
    /** Sent for the first time, and again. */
    readonly published: number;
    readonly republished: number;
    readonly received: number;
    /** Received and added to the pool. */
    readonly taken: number;
    readonly known: number;
    readonly refused: number;
    /** Received, and dropped because the pool was full. */
    readonly dropped: number;
  };
}

export interface NodeStatus {
  listening(): boolean;
  peerCount(): number;
  /** Undefined for a node that is not catching up. */
  syncing(): SyncStatus | undefined;
  /** Returns true if nothing blocks the node from producing. */
  mayProduce(): boolean;
  /** Undefined, or absent, for a node without a block log. */
  blockLog?(): BlockLogStatus | undefined;
}

export const STANDALONE_STATUS: NodeStatus = {
  listening: () => true,
  peerCount: () => 0,
  syncing: () => undefined,
  mayProduce: () => true,
};
