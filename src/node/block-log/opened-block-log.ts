import type { BlockId, Hash } from '../../protocol/index.ts';
import type { BlockLog, MessageExchange } from './block-log.ts';

/** What a node shares with the other nodes of its chain. */
export interface OpenedBlockLog {
  readonly log: BlockLog;
  /** Carries transactions: the node that accepted one sends it again until it is done. */
  readonly exchange: MessageExchange;
  /** Carries readings of the producers' clocks. */
  readonly clocks: MessageExchange;
}

/** The chain that a log is opened for. */
export interface BlockLogChain {
  /** Its native id, which says all that its genesis does. */
  readonly chainId: Hash;
  /** Id of the block that block 1 follows. */
  readonly genesisId: BlockId;
  /** Number of the newest block in the node's store. */
  readonly head: number;
}
