import type { Genesis } from '../../ledger/index.ts';
import type { Hash } from '../../protocol/index.ts';
import type { BlockLog, TransactionExchange } from './block-log.ts';

/** What a node shares with the other nodes of its chain. */
export interface OpenedLog {
  readonly log: BlockLog;
  readonly exchange: TransactionExchange;
}

/** The chain that a log is opened for. */
export interface LoggedChain {
  readonly genesis: Genesis;
  /** Its native id. */
  readonly chainId: Hash;
}
