import type { Address, Hash, OperationHash } from '../protocol/index.ts';
import type {
  AddressOperation,
  AddressOperationQuery,
  InvolvedAddress,
  OperationPosition,
  StoredTransaction,
} from './operations.ts';
import type { TableName } from './tables/tables.ts';

/** An entry of the ledger's state: a key of `stateKey` and a value that is opaque to the store. */
export interface StateEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** The change of one entry of the state by a block. */
export interface StateChange {
  readonly key: Uint8Array;
  /** The entry before the block, `undefined` for none: a revert restores it. */
  readonly before: Uint8Array | undefined;
  /** The entry after the block; `undefined` removes it. */
  readonly after: Uint8Array | undefined;
}

export interface LogPosition {
  readonly block: number;
  /** Index of the operation within the block. */
  readonly operation: number;
  /** Index of the log among the operation's logs. */
  readonly offset: number;
}

/** A log of a block, as the index of logs needs it. */
export interface IndexedLog extends Omit<LogPosition, 'block'> {
  /** The contract that wrote it. */
  readonly address: Address;
  /** At most `LOG_TOPICS_MAX`. */
  readonly topics: readonly Hash[];
}

export interface LogPositionQuery {
  /** First and last block of the range, which may end beyond the head. */
  readonly fromBlock: number;
  readonly toBlock: number;
  /** Alternative contracts; none: any contract. */
  readonly addresses: readonly Address[];
  /** Alternative topics by position; none: any topic. At most `LOG_TOPICS_MAX` positions. */
  readonly topics: readonly (readonly Hash[])[];
  /** Bound of the steps of the search, beyond which it throws; default: `LOG_SEARCH_STEPS_MAX`. */
  readonly stepsMax?: number | undefined;
}

/** A block and all data that the store writes with it. */
export interface BlockCommit {
  /** The head's number plus one; for an empty store 0, or any with a genesis. */
  readonly number: number;
  /** The block's record, opaque to the store. */
  readonly block: Uint8Array;
  /** In the order of the block, each with one operation at least. */
  readonly transactions: readonly StoredTransaction[];
  /** By operation index. */
  readonly receipts: readonly Uint8Array[];
  /** By operation index. */
  readonly operationHashes: readonly OperationHash[];
  /** Further hashes that identify operations, by operation index. */
  readonly otherHashes?: readonly { readonly operation: number; readonly hash: OperationHash }[] | undefined;
  /** The logs of the block, by operation and offset. */
  readonly logs: readonly IndexedLog[];
  /** The addresses that operations involve, by operation index, each once for an operation. */
  readonly involved?: readonly InvolvedAddress[] | undefined;
  /** The fee payers, one entry for each operation with a fee. */
  readonly payers: readonly Address[];
  /** At most one change for each key. */
  readonly state: readonly StateChange[];
  /** The state's lattice accumulator after the block. */
  readonly accumulator: Uint8Array;
  /** The genesis, opaque to the store; only with the first block. */
  readonly genesis?: Uint8Array | undefined;
  /** Sequences of the transactions that are no longer pending; unknown ones are ignored. */
  readonly removedPending?: readonly number[] | undefined;
}

/** A change of the state between two blocks. */
export interface PatchCommit {
  /** The patch's record, opaque to the store. */
  readonly patch: Uint8Array;
  /** At most one change for each key. */
  readonly state: readonly StateChange[];
  /** New counts of the operations that payers have paid for, at most one for each; only with history. */
  readonly counts: readonly { readonly payer: Address; readonly count: number }[];
  /** The state's lattice accumulator after the patch. */
  readonly accumulator: Uint8Array;
}

/** The newest blocks and patches that a revert removes. */
export interface RevertedBlocks {
  /** The newest block afterwards. */
  readonly to: number;
  /** Number of the patches after that block that remain; absent: none. */
  readonly patches?: number | undefined;
  /** Returns the logs of an operation, as the commit of its block had them, by its receipt. */
  logsOf(receipt: Uint8Array, block: number, operation: number): readonly IndexedLog[];
}

/** A revert of the newest blocks. */
export interface Revert extends RevertedBlocks {
  /** Called once for each restored entry of the state, with the current one as `before`. */
  onChange(change: StateChange): void;
  /** Returns the state's accumulator after all changes. If it throws, the revert is aborted. */
  accumulator(): Uint8Array;
  /** First id of further snapshots to remove, in addition to those of the reverted blocks and patches. */
  readonly snapshotsFrom?: number | undefined;
  /** The pending transactions afterwards; absent: unchanged. If present, `to` may be the head. */
  readonly pending?: readonly PendingRecord[] | undefined;
  /** The new value of `restored`; absent: unchanged. */
  readonly restored?: Uint8Array | undefined;
}

/** The read-only part of a revert, which can run earlier, in slices. */
export interface RevertPlan {
  /**
   * Reads up to `records` more records of the reverted blocks and patches. Blocks may be added between calls.
   *
   * @returns true if there are more
   * @throws StoreError STORE_NOT_KEPT, STORE_UNREADABLE, and what `logsOf` throws
   */
  read(records: number): boolean;
}

export interface PendingRecord {
  /** Position in the order of arrival. */
  readonly sequence: number;
  /** The transaction's record, opaque to the store. */
  readonly bytes: Uint8Array;
}

/** The blobs of a transaction: data beside the chain. */
export interface SidecarRecord {
  /** Hash of the transaction. */
  readonly hash: Hash;
  /** Opaque to the store. */
  readonly bytes: Uint8Array;
}

/** Size and readers of the store. */
export interface StoreStatistics {
  /** Bytes of the database file, free pages included. The file never shrinks. */
  readonly fileBytes: number;
  /** Bytes of the pages in use, about those of a compact copy. */
  readonly usedBytes: number;
  /** Number of open snapshots of all processes. */
  readonly readers: number;
  /** Commits since the oldest of these snapshots. Pages freed since then can't be reused. */
  readonly oldestReaderTransactions: number;
}

/** The status of the blocks that are only in memory. */
export interface UnwrittenStatus {
  /** Number of newest blocks that are not in the file; always 0 except for a temporary folder. */
  readonly blocks: number;
  /** True if the last attempt to write them failed. The store retries automatically. */
  readonly hasFailed: boolean;
}

/** Progress of a backup; the total is an estimate. */
export interface BackupProgress {
  readonly bytes: number;
  readonly totalBytes: number;
}

/** A state of the chain that a revert can restore. */
export interface ChainSnapshot {
  /** Greater than those of all earlier ones, removed ones included; 1 or more. */
  readonly id: number;
  /** The head at that time, and the number of patches after it. */
  readonly block: number;
  readonly patches: number;
  /** The rest of the snapshot, opaque to the store. */
  readonly bytes: Uint8Array;
}

/** A record of data outside the store that a revert restored, for readers that missed the event. */
export interface Restored {
  /** The store's reorganisation count after the revert. */
  readonly reorgCount: number;
  /** Opaque to the store. */
  readonly bytes: Uint8Array;
}

/** An entry of any table, for comparing two stores. */
export interface TableEntry extends StateEntry {
  readonly table: TableName;
}

/**
 * Queries of a chain after one of its blocks. All reads are synchronous and return copies. An iterable uses a snapshot
 * from the beginning of its iteration to its end: exhaust it or leave its loop, so that its pages can be reused. Every
 * member throws STORE_CLOSED after `close`, STORE_UNREADABLE if the file is damaged.
 */
export interface ChainReader {
  /** True if operations are counted by payer. */
  readonly history: boolean;
  /** Number of the newest block, `undefined` for an empty store. */
  head(): number | undefined;
  /** The genesis of the commit of block 0. */
  genesis(): Uint8Array | undefined;
  state(key: Uint8Array): Uint8Array | undefined;
  /** The entries of the state by key prefix (all of them without one), in key order. */
  stateEntries(prefix?: Uint8Array): Iterable<StateEntry>;
  /**
   * Returns true if the key of any entry of the state begins with the prefix. Undefined in a historical state of which
   * later blocks have overwritten too many such entries (`PAST_PREFIX_ENTRIES_MAX`).
   */
  hasState(prefix: Uint8Array): boolean | undefined;
  /**
   * Returns false only if no key of the state begins with the prefix. True where that would take long, in a historical
   * state.
   */
  mayHaveState(prefix: Uint8Array): boolean;
  /** A block's record. */
  block(number: number): Uint8Array | undefined;
  /** The transaction that contains an operation of a block. */
  transaction(number: number, operationIndex: number): StoredTransaction | undefined;
  transactionsOf(number: number): Iterable<StoredTransaction>;
  receipt(number: number, operationIndex: number): Uint8Array | undefined;
  /** The receipts of a block, by operation index. */
  receiptsOf(number: number): Iterable<Uint8Array>;
  /**
   * The included operations with this hash, oldest first.
   * @param needsLast true if only the last one is needed: others may be omitted
   */
  operationPositions(hash: OperationHash, needsLast?: boolean): readonly OperationPosition[];
  operationHash(number: number, operationIndex: number): OperationHash | undefined;
  /** The logs of a query, in chain order. The cost depends on the rarest condition, not on the length of the range. */
  logPositions(query: LogPositionQuery): Iterable<LogPosition>;
  /** The number of included operations that an address paid for. Throws STORE_HISTORY_OFF without `history`. */
  operationCount(address: Address): number;
  addressOperations(query: AddressOperationQuery): readonly AddressOperation[];
  /**
   * Returns the operation before which an address had paid for `count` operations. If a test has reduced that count, it
   * returns any such operation or undefined. Throws STORE_HISTORY_OFF without `history`.
   */
  operationOfSender(address: Address, count: number): OperationPosition | undefined;
  /** The records of the patches after a block, in order. */
  patchesAfter(block: number): Iterable<Uint8Array>;
  /** The record of a patch after a block, by its position from 1 on. */
  patchAt(block: number, sequence: number): Uint8Array | undefined;
  patchCount(block: number): number;
  /**
   * Returns the keys of the state entries that the blocks of a range and their patches have overwritten, in the order
   * of the blocks, with repetitions.
   *
   * @param last the last block, which must exist
   * @throws StoreError STORE_NOT_KEPT
   */
  overwrittenKeys(first: number, last: number): Iterable<Uint8Array>;
  /** The number of reorganisations. Caches of blocks and of the state are valid until it changes. */
  reorgCount(): number;
  /** The oldest block that can be reverted, with all later ones; undefined for none. */
  undoStart(): number | undefined;
  /**
   * Returns the chain before a block. A look-up in its state reads the undo records from that block on, until one has
   * the entry. It stays valid while blocks are added; its members throw STORE_NOT_KEPT once the undo record of that
   * block is pruned. If another process may write, call this on a `snapshot` or a view.
   *
   * @throws StoreError STORE_NOT_KEPT for a block before `undoStart`, or beyond the one after the head
   */
  before(block: number): ChainReader;
}

/** Queries of the node's storage as of the newest commit. */
export interface StoreReader extends ChainReader {
  /**
   * The id of the chain for which the file was opened when its chain was last replaced, defined by the ledger. The file
   * may have a different chain. Undefined if its chain was never replaced.
   */
  openedWith(): Uint8Array | undefined;
  /** The record of the newest revert or replacement that restored data outside the store; undefined for none. */
  restored(): Restored | undefined;
  /** Folder of the database file. */
  readonly path: string;
  /** The state's lattice accumulator after the head; undefined for an empty store. */
  accumulator(): Uint8Array | undefined;
  /** The record of the chain's newest patch after any block; undefined for none. */
  newestPatch(): Uint8Array | undefined;
  /** The pending transactions, in the order of their arrival. */
  pendingTransactions(): Iterable<PendingRecord>;
  /** The sidecar of a transaction; undefined for none. */
  sidecar(hash: Hash): Uint8Array | undefined;
  /** The transactions with a sidecar and the length of each, without reading any. */
  sidecars(): Iterable<{ readonly hash: Hash; readonly length: number }>;
  chainSnapshot(id: number): ChainSnapshot | undefined;
  /** The snapshots of the chain, oldest first; also ordered by their blocks. */
  chainSnapshots(): Iterable<ChainSnapshot>;
  /** Every entry of every table, by table number and then in key order: equal for stores of equal content. */
  tables(): Iterable<TableEntry>;
  /**
   * Returns a reader of one snapshot. Close it, so that its pages can be reused. Its `statistics` and `backup` use the
   * newest commit.
   */
  snapshot(): StoreReader;
  statistics(): StoreStatistics;
  /**
   * Copies one snapshot into a new folder, while all processes continue to read and write. The folder appears when the
   * copy is complete and flushed; an interrupted copy leaves a folder with `.partial-` in its name. Throws
   * STORE_TARGET_EXISTS if the folder exists, STORE_BACKUP_FAILED if the copy can't be written.
   *
   * @param folder a path to create in an existing folder
   */
  backup(folder: string, onProgress?: (progress: BackupProgress) => void): Promise<void>;
  /** Closes the reader after a running backup. May be called again. */
  close(): Promise<void>;
}

/** A reader of a store that another process writes to. All reads use one snapshot until `refresh`. */
export interface StoreView extends StoreReader {
  /** Makes later reads use the newest commit. */
  refresh(): void;
}

/**
 * The node's storage, for the only process that writes to it. Each write is atomic: if it throws, nothing is changed.
 * STORE_COMMIT_FAILED means a full disk or an error of the database. `close` removes a temporary folder.
 */
export interface Store extends StoreReader {
  unwritten(): UnwrittenStatus;
  /**
   * Adds a block with all its data. Throws STORE_WRONG_NUMBER if it does not follow the head, STORE_INVALID_COMMIT if
   * the parts are inconsistent, STORE_COMMIT_FAILED.
   */
  commitBlock(commit: BlockCommit): void;
  /**
   * Reverts the newest blocks and patches in one transaction: restores the store as it was before them, except for the
   * pending transactions, and increments the reorganisation count. Throws STORE_WRONG_NUMBER if there is nothing to
   * revert, STORE_NOT_KEPT, STORE_COMMIT_FAILED, and errors of the callbacks.
   *
   * @param plan of the same blocks: its records are not read again, unless the chain was reorganised since
   */
  revertBlocks(revert: Revert, plan?: RevertPlan): void;
  /** Prepares a revert. Without a plan `revertBlocks` reads all records itself. */
  planRevert(blocks: RevertedBlocks): RevertPlan;
  /**
   * Changes the state after the head, without a block.
   *
   * @returns the position of the patch among those after the head, from 1 on
   * @throws StoreError STORE_WRONG_NUMBER for a store without blocks, STORE_COMMIT_FAILED
   */
  commitPatch(commit: PatchCommit): number;
  /**
   * Adds a pending transaction, as durably as a block.
   *
   * @param removed sequences of others that the same commit removes
   * @param sidecar that the same commit adds
   * @returns its sequence, greater than all sequences that this process has read or returned before
   * @throws StoreError STORE_COMMIT_FAILED
   */
  addPending(bytes: Uint8Array, removed?: readonly number[], sidecar?: SidecarRecord): number;
  /**
   * Stores the pending transactions that an action adds in one commit, at its end or before any other commit. Until
   * then only this store returns them. The same applies to its blocks, if the store writes them together.
   *
   * @param onStored called after the commit of pending transactions
   * @param onLosing called before blocks are lost whose commit failed, with the number of the last one in the file
   * @throws errors of the action; STORE_COMMIT_FAILED if the commit fails: what was added since the last one is lost
   */
  together<T>(action: () => T, onStored: () => void, onLosing?: (last: number) => void): T;
  /** Removes the sidecars of transactions; unknown ones are ignored. Throws STORE_COMMIT_FAILED. */
  removeSidecars(hashes: readonly Hash[]): void;
  /**
   * Replaces the chain by that of another store with the same `history`, increments the reorganisation count and
   * removes all snapshots, whose ids are not reused. Throws STORE_COMMIT_FAILED, and errors of the source.
   *
   * @param openedWith the new value of `openedWith`; absent: unchanged
   * @param restored the new value of `restored`; absent: unchanged
   */
  replaceChain(source: StoreReader, openedWith?: Uint8Array, restored?: Uint8Array): void;
  /**
   * Copies the records of another file with the same blocks that are not part of its chain: `openedWith`, `restored`,
   * the sidecars, one after another, and the snapshots of these blocks. Sets a reorganisation count above those of both
   * files. Throws STORE_COMMIT_FAILED, and errors of the source.
   */
  copyFileRecords(source: StoreReader): void;
  /**
   * Adds a snapshot of the current chain. A revert of its block removes the snapshot.
   *
   * @returns its id
   * @throws StoreError STORE_WRONG_NUMBER for a store without blocks, STORE_COMMIT_FAILED
   */
  addChainSnapshot(bytes: Uint8Array): number;
  /** Removes pending transactions; unknown ones are ignored. Throws STORE_COMMIT_FAILED. */
  removePending(sequences: readonly number[]): void;
  /**
   * Runs an action that adds at most `blocks` blocks without transactions, in one transaction. Throws errors of the
   * action and of `commitBlock`.
   */
  inOneCommit<T>(blocks: number, action: () => T): T;
  /** Writes the blocks that are only in memory, and lets other processes open the file. Throws STORE_COMMIT_FAILED. */
  publish(): void;
}
