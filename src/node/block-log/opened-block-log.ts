import type { BlockId, Hash } from '../../protocol/index.ts';
import type { BlockLog, TransactionExchange } from './block-log.ts';

/** What a node shares with the other nodes of its chain. */
export interface OpenedBlockLog {
  readonly log: BlockLog;
  readonly exchange: TransactionExchange;
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
