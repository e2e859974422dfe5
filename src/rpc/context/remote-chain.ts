import type { RemoteHistory, RemoteOtterscan } from '../../fork/index.ts';
import type { MissingEntriesError } from '../../ledger/index.ts';
import type { Hash } from '../../protocol/index.ts';

/** The remote chain of a fork. */
export interface RemoteChain {
  readonly chainId: bigint;
  /** Number of the block of the fork. */
  readonly number: number;
  readonly hash: Hash;
  /** Fetches the entries that a call has missed, and those that it may need next. Rejects with an RpcError. */
  fetch(missing: Pick<MissingEntriesError, 'entries' | 'during'>): Promise<void>;
  /** Reads the history up to the block of the fork. Rejects with an RpcError. */
  read<T>(query: (history: RemoteHistory, otterscan: RemoteOtterscan) => Promise<T>): Promise<T>;
}

/** The remote chain of a node, which a reset may replace. */
export interface ForkedChain {
  /** Undefined: the chain is no fork. */
  readonly remote: RemoteChain | undefined;
}
