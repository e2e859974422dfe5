/** Progress of a node that is catching up: docs/interface.md#sync-status. */
export interface SyncStatus {
  readonly startingBlock: number;
  readonly currentBlock: number;
  readonly highestBlock: number;
}

/** State of the block log of a cluster, as seen by a node. */
export interface BlockLogStatus {
  readonly url: string;
  /** Number of the newest block that it is known to have. */
  readonly head: number;
  /** Blocks that it is known to have and that this node has not yet. */
  readonly lagBlocks: number;
  /** Seconds since the first of them was known; 0 for none. */
  readonly lagSeconds: number;
  /** Seconds since it answered last. */
  readonly silentSeconds: number;
  /** Number of times that it became unreachable since the start. */
  readonly losses: number;
  /** Number of changes of its leader since the start. */
  readonly elections: number;
  /** Why nothing is made or taken over any more until an operator has looked; undefined while all is well. */
  readonly halted: string | undefined;
  /** Outcomes of appends of this node; a repeated append counts again. */
  readonly appends: {
    readonly appended: number;
    /** Another block had the place. */
    readonly conflicts: number;
    /** Outcome unknown. */
    readonly unavailable: number;
  };
  /** Transactions that went between this node and the others. */
  readonly transactions: {
    /** Sent to the others for the first time, and again. */
    readonly published: number;
    readonly republished: number;
    readonly received: number;
    /** Received and added to the pool. */
    readonly taken: number;
    /** Received, and known already. */
    readonly known: number;
    /** Received, and invalid. */
    readonly refused: number;
    /** Received, and dropped for lack of room. */
    readonly dropped: number;
  };
}

/** State of a node, and of other nodes as it sees them. */
export interface NodeStatus {
  listening(): boolean;
  peerCount(): number;
  /** Undefined for a node that is not catching up. */
  syncing(): SyncStatus | undefined;
  /** Returns true if nothing keeps the node from making its blocks. */
  mayProduce(): boolean;
  /** Undefined, or absent, for a node without a block log. */
  blockLog?(): BlockLogStatus | undefined;
}

/** A node without others. */
export const STANDALONE_STATUS: NodeStatus = {
  listening: () => true,
  peerCount: () => 0,
  syncing: () => undefined,
  mayProduce: () => true,
};
