/** How far a node that is catching up with others has come: docs/interface.md#sync-status. */
export interface SyncStatus {
  readonly startingBlock: number;
  readonly currentBlock: number;
  readonly highestBlock: number;
}

/** What a node knows of the block log that it shares with the other nodes of a cluster. */
export interface BlockLogStatus {
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
  blockLog?(): BlockLogStatus | undefined;
}

/** A node that knows no others. */
export const STANDALONE_STATUS: NodeStatus = {
  listening: () => true,
  peerCount: () => 0,
  syncing: () => undefined,
  mayProduce: () => true,
};
