import type { Address, Hash, OperationHash } from '../protocol/index.ts';
import type {
  AddressOperation,
  AddressOperationQuery,
  InvolvedAddress,
  OperationPosition,
  StoredTransaction,
} from './operations.ts';
import type { ChainSnapshot, Restored } from './snapshots.ts';
import type { TableName } from './tables/tables.ts';

/** One entry of the ledger's state. */
export interface StateEntry {
  /** As `stateKey` makes it. */
  readonly key: Uint8Array;
  /** As the ledger decided. */
  readonly value: Uint8Array;
}

/** The change of one entry of the state by a block. */
export interface StateChange {
  readonly key: Uint8Array;
  /** The entry before the block, `undefined` when there was none. It comes back when the block is taken back. */
  readonly before: Uint8Array | undefined;
  /** The entry after the block; `undefined` takes the entry away. */
  readonly after: Uint8Array | undefined;
}

/** A log of a block, as the index of logs needs it. */
export interface IndexedLog {
  /** Index of the operation within the block. */
  readonly operation: number;
  /** Index of the log among the operation's logs. */
  readonly offset: number;
  /** The contract that wrote it. */
  readonly address: Address;
  /** At most `LOG_TOPICS_MAX`. */
  readonly topics: readonly Hash[];
}

/** Where a log stands. */
export interface LogPosition {
  /** Block number. */
  readonly block: number;
  /** Index of the operation within the block. */
  readonly operation: number;
  /** Index of the log among the operation's logs. */
  readonly offset: number;
}

/** Which logs are looked for. */
export interface LogPositionQuery {
  /** The first block of the range. */
  readonly fromBlock: number;
  /** The last block of the range; it may lie beyond the head. */
  readonly toBlock: number;
  /** Logs of any of these contracts; of any at all when there are none. */
  readonly addresses: readonly Address[];
  /**
   * By position: any of these topics stands there; no demand where there are none. Positions past the end are
   * free. At most `LOG_TOPICS_MAX` positions.
   */
  readonly topics: readonly (readonly Hash[])[];
  /** Steps after which the search is given up; default: `LOG_SEARCH_STEPS_MAX`. */
  readonly stepsMax?: number | undefined;
}

/** All that one block adds to the store. */
export interface BlockCommit {
  /** The head's number plus one; 0 for an empty store. */
  readonly number: number;
  /** The block's record, opaque to the store. */
  readonly block: Uint8Array;
  /** In the order of the block; each holds at least one operation. */
  readonly transactions: readonly StoredTransaction[];
  /** By operation index. */
  readonly receipts: readonly Uint8Array[];
  /** By operation index. */
  readonly operationHashes: readonly OperationHash[];
  /** Other hashes by which operations are found as well, by operation index. */
  readonly otherHashes?: readonly { readonly operation: number; readonly hash: OperationHash }[] | undefined;
  /** The logs of the block, by operation and offset. */
  readonly logs: readonly IndexedLog[];
  /** The addresses that each operation has to do with, by operation index, none of them twice for one operation. */
  readonly involved?: readonly InvolvedAddress[] | undefined;
  /** The fee payers of the block's operations, one entry for each operation that is paid for. */
  readonly payers: readonly Address[];
  /** At most one change for each key. */
  readonly state: readonly StateChange[];
  /** The state's lattice accumulator after the block. */
  readonly accumulator: Uint8Array;
  /** The genesis, opaque to the store; with block 0 only. */
  readonly genesis?: Uint8Array | undefined;
  /** Sequences of the pending transactions that wait no longer; those that are not there do not matter. */
  readonly removedPending?: readonly number[] | undefined;
}

/** A change of the state between two blocks, which is neither's. */
export interface PatchCommit {
  /** The patch's record, opaque to the store. */
  readonly patch: Uint8Array;
  /** At most one change for each key. */
  readonly state: readonly StateChange[];
  /** How many operations payers are said to have paid for from now on, at most once for each; only with history. */
  readonly counts: readonly { readonly payer: Address; readonly count: number }[];
  /** The state's lattice accumulator after the patch. */
  readonly accumulator: Uint8Array;
}

/** Which of the newest blocks and patches are taken back. */
export interface RevertedBlocks {
  /** The block that is the newest one afterwards. */
  readonly to: number;
  /** How many of the patches after that block stay; absent: none. */
  readonly patches?: number | undefined;
  /** The logs of an operation, as the commit of its block had them, by its receipt. */
  logsOf(receipt: Uint8Array, block: number, operation: number): readonly IndexedLog[];
}

/** Taking the newest blocks back: what the store has to be told for that, and what it tells. */
export interface Reversion extends RevertedBlocks {
  /** Told once of each entry of the state that comes back; `before` is what the store holds of it. */
  onChange(change: StateChange): void;
  /** The state's accumulator after all changes; may throw, and nothing is changed then. */
  accumulator(): Uint8Array;
  /** Snapshots of the chain from this id on go, too; those of blocks and patches that are taken back always do. */
  readonly snapshotsFrom?: number | undefined;
  /** What waits afterwards, instead of what does now; `to` may be the head then. */
  readonly pending?: readonly PendingRecord[] | undefined;
  /** What of things beside the store comes back as well: `restored` has it from then on; absent: nothing. */
  readonly restored?: Uint8Array | undefined;
}

/** The part of taking blocks back that only reads, so that it can be done in slices before. */
export interface ReversionPlan {
  /**
   * Reads so many more records of the blocks and patches that are taken back; in between others may come.
   * @returns whether there is more, as far as is known
   * @throws StoreError STORE_NOT_KEPT, STORE_UNREADABLE, and what `logsOf` throws
   */
  read(records: number): boolean;
}

/** A transaction that waits for its block. */
export interface PendingRecord {
  /** Where it stands in the order of arrival. */
  readonly sequence: number;
  /** The transaction's record, opaque to the store. */
  readonly bytes: Uint8Array;
}

/** How large the store is, and who reads it. */
export interface StoreStatistics {
  /** Bytes of the database file, free pages included. The file never shrinks. */
  readonly fileBytes: number;
  /** Bytes of the pages in use, which is about what a compact copy would take. */
  readonly usedBytes: number;
  /** Snapshots that are held at this moment, in whatever process. */
  readonly readers: number;
  /** Commits since the oldest snapshot that is held: pages that were freed since then can't be used again. */
  readonly oldestReaderTransactions: number;
}

/** What a store has in memory alone so far. */
export interface UnwrittenPart {
  /** Newest blocks that are not in the file; always 0 but for a temporary folder's. */
  readonly blocks: number;
  /** Whether writing them has failed, and has not succeeded since; it is tried again by itself. */
  readonly hasFailed: boolean;
}

/** How far a backup has come. */
export interface BackupProgress {
  readonly bytes: number;
  /** About what the copy will have when it is whole. */
  readonly totalBytes: number;
}

/** An entry of any table, for comparing two stores. */
export interface TableEntry extends StateEntry {
  readonly table: TableName;
}

/**
 * What can be asked of a chain as it is after one of its blocks. All is read synchronously; what is returned is a copy
 * and stays valid. An iterable shows the store as when its iteration began; run it out, or leave its loop, so that it
 * holds no old pages. Every member throws STORE_CLOSED after `close`, STORE_UNREADABLE when the file is damaged.
 */
export interface ChainReader {
  /** Whether operations are counted by payer. */
  readonly history: boolean;
  /** Number of the newest block, `undefined` for an empty store. */
  head(): number | undefined;
  /** The genesis, as block 0 brought it. */
  genesis(): Uint8Array | undefined;
  /** One entry of the ledger's state. */
  state(key: Uint8Array): Uint8Array | undefined;
  /** The entries of the state whose keys begin with the prefix (all of them without one), in key order. */
  stateEntries(prefix?: Uint8Array): Iterable<StateEntry>;
  /**
   * Whether the key of any entry of the state begins with the prefix; `undefined` in a past state where blocks have
   * overwritten such entries too often since to find out (`PAST_PREFIX_ENTRIES_MAX`).
   */
  hasState(prefix: Uint8Array): boolean | undefined;
  /** A block's record. */
  block(number: number): Uint8Array | undefined;
  /** The transaction that holds an operation of a block. */
  transaction(number: number, operationIndex: number): StoredTransaction | undefined;
  /** The transactions of a block, in its order. */
  transactionsOf(number: number): Iterable<StoredTransaction>;
  /** The receipt of an operation of a block. */
  receipt(number: number, operationIndex: number): Uint8Array | undefined;
  /** The receipts of a block, by operation index. */
  receiptsOf(number: number): Iterable<Uint8Array>;
  /** The included operations that have this hash, oldest first. */
  operationPositions(hash: OperationHash): readonly OperationPosition[];
  /** The hash of an operation of a block. */
  operationHash(number: number, operationIndex: number): OperationHash | undefined;
  /**
   * The logs that meet every demand of the query, in chain order. The work follows the rarest of the demands,
   * not the length of the range.
   */
  logPositions(query: LogPositionQuery): Iterable<LogPosition>;
  /** How many included operations the address paid for. Throws STORE_HISTORY_OFF without `history`. */
  operationCount(address: Address): number;
  /** The operations that an address has to do with. */
  addressOperations(query: AddressOperationQuery): readonly AddressOperation[];
  /**
   * The operation before which an address had paid for so many; any of them, or none, where a test has set that back.
   * Throws STORE_HISTORY_OFF without `history`.
   */
  operationOfSender(address: Address, count: number): OperationPosition | undefined;
  /** The records of the patches after a block, in order. */
  patchesAfter(block: number): Iterable<Uint8Array>;
  /** The record of a patch after a block, by its place from 1 on. */
  patchAt(block: number, sequence: number): Uint8Array | undefined;
  /** How many patches there are after a block. */
  patchCount(block: number): number;
  /**
   * Keys of the entries of the state that the blocks of a range, and the patches after each of them, have overwritten:
   * in the order of the blocks, so that a key may come several times.
   *
   * @param last of the blocks, which is there
   * @throws StoreError STORE_NOT_KEPT
   */
  overwrittenKeys(first: number, last: number): Iterable<Uint8Array>;
  /** How often blocks were taken back: what is remembered of blocks and of the state holds as long as it stays. */
  epoch(): number;
  /** The oldest block that can be taken back, with all that came after it; `undefined` where none can. */
  undoStart(): number | undefined;
  /**
   * The chain as it was before a block. A look-up in its state reads what that block and each later one overwrote,
   * until one of them has overwritten what is looked for. It stays right while blocks are added; its members throw
   * STORE_NOT_KEPT as soon as the records of that block are not kept any more. Where another process may write, take it
   * of a `snapshot` or of a view.
   *
   * @throws StoreError STORE_NOT_KEPT for a block before `undoStart`, or beyond the one after the head
   */
  before(block: number): ChainReader;
}

/** What the node's storage can be asked, as of the newest commit. */
export interface StoreReader extends ChainReader {
  /**
   * The id of the chain that the file was opened for when its chain was replaced last, decided by the ledger: that may
   * be another one than the file has. Undefined where it was never said.
   */
  openedWith(): Uint8Array | undefined;
  /** What came back with the newest reversion that said so, or chain that was put in another's place. */
  restored(): Restored | undefined;
  /** Folder that holds the database file. */
  readonly path: string;
  /** Whether the file's format has a table: one of an earlier format is read as if those that it lacks were empty. */
  has(table: TableName): boolean;
  /** The state's lattice accumulator after the head, `undefined` for an empty store. */
  accumulator(): Uint8Array | undefined;
  /** The record of the newest patch of the chain, whichever block it is after; `undefined` where there is none. */
  newestPatch(): Uint8Array | undefined;
  /** The transactions that wait for their block, in the order of their arrival. */
  pendingTransactions(): Iterable<PendingRecord>;
  /** A snapshot of the chain; `undefined` where there is none with this id. */
  chainSnapshot(id: number): ChainSnapshot | undefined;
  /** The snapshots of the chain, oldest first: their blocks are in order as well. */
  chainSnapshots(): Iterable<ChainSnapshot>;
  /** Every entry of every table, by table number and then in key order: equal for stores of equal content. */
  tables(): Iterable<TableEntry>;
  /**
   * The store as it is now, whatever is committed later: all reads of what is returned agree with each other.
   * Close it, so that it does not hold old pages. Its `statistics` and `backup` are those of the newest commit.
   */
  snapshot(): StoreReader;
  /** Size and readers. */
  statistics(): StoreStatistics;
  /**
   * Copies the store, as it is at one moment, into a new folder, while this and other processes go on reading
   * and writing. The folder appears when the copy is whole and on the disk; a copy that was interrupted leaves
   * a folder with `.partial-` in its name behind. Throws STORE_TARGET_EXISTS when something is there already,
   * STORE_BACKUP_FAILED when the copy can't be written.
   *
   * @param folder to be made; the folder above it must exist
   * @param onProgress called every now and then
   */
  backup(folder: string, onProgress?: (progress: BackupProgress) => void): Promise<void>;
  /** Ends it; after a running backup. May be called again. */
  close(): Promise<void>;
}

/** A store that another process writes to, seen as it was at one moment within a turn of the event loop. */
export interface StoreView extends StoreReader {
  /** Brings the view up to the newest commit. Without it reads in one turn of the event loop agree with each other. */
  refresh(): void;
}

/** The node's storage, for the one process that writes to it. `close` removes a temporary folder. */
export interface Store extends StoreReader {
  /** What is in memory alone so far. */
  unwritten(): UnwrittenPart;
  /**
   * Adds a block with everything that belongs to it: all of it or, when this throws, nothing. Throws STORE_WRONG_NUMBER
   * when it does not follow the head, STORE_INVALID_COMMIT when the parts do not fit, STORE_COMMIT_FAILED otherwise.
   */
  commitBlock(commit: BlockCommit): void;
  /**
   * Takes the newest blocks and patches back: the store is as it was before they came, but for the transactions that
   * wait and for the epoch, which rises. All of it is done or, when this throws, nothing. Throws STORE_WRONG_NUMBER
   * where there is nothing after that block and patch, STORE_NOT_KEPT, STORE_COMMIT_FAILED, and what the reversion
   * throws.
   *
   * @param plan of the same place: what it has read is not read again, unless blocks were taken back since
   */
  revertBlocks(reversion: Reversion, plan?: ReversionPlan): void;
  /** Begins to find out what taking blocks back comes to, which `revertBlocks` otherwise does by itself. */
  planReversion(blocks: RevertedBlocks): ReversionPlan;
  /**
   * Changes the state after the head, without a block: all of it or, when this throws, nothing.
   *
   * @returns which patch after the head it is, from 1 on
   * @throws StoreError STORE_WRONG_NUMBER for a store without blocks, STORE_COMMIT_FAILED
   */
  commitPatch(commit: PatchCommit): number;
  /**
   * Adds a transaction to those that wait, and is as durable as a block when it returns.
   *
   * @param leaving sequences of others, which are taken away with the same write
   * @returns its sequence, greater than that of every other one that this process has seen
   * @throws StoreError STORE_COMMIT_FAILED; then nothing is written.
   */
  addPending(bytes: Uint8Array, leaving?: readonly number[]): number;
  /**
   * Puts the chain of another store, which counts operations by payer as this one does, in the place of this one's; the
   * epoch rises, and the snapshots are gone. All of it is done or, when this throws, nothing. Throws
   * STORE_COMMIT_FAILED, and what the source throws.
   *
   * @param openedWith what `openedWith` answers from then on
   * @param restored what `restored` answers from then on
   */
  replaceChain(source: StoreReader, openedWith?: Uint8Array, restored?: Uint8Array): void;
  /**
   * Takes over what another file keeps beside the same blocks: which chain it was opened for, and their snapshots. The
   * epoch is beyond that of either. Throws STORE_COMMIT_FAILED, and what the source throws.
   */
  takeOver(source: StoreReader): void;
  /**
   * Adds a snapshot of the chain as it is now. It goes when its block is taken back.
   *
   * @returns its id
   * @throws StoreError STORE_WRONG_NUMBER where there is no block, STORE_COMMIT_FAILED; then nothing is written.
   */
  addChainSnapshot(bytes: Uint8Array): number;
  /** Takes waiting transactions away; those that are not there do not matter. Throws STORE_COMMIT_FAILED. */
  removePending(sequences: readonly number[]): void;
  /**
   * Runs an action that adds at most so many blocks, none of them with transactions: all of them or, when this throws,
   * none. Throws what the action throws, and what adding a block throws.
   */
  together<T>(blocks: number, action: () => T): T;
  /** Writes what is not in the file yet, for processes that read it. Throws STORE_COMMIT_FAILED. */
  settle(): void;
}
