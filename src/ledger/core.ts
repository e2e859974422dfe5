import type { CallFrame, ConsoleInputs } from '../evm/index.ts';
import type { Hash, OperationHash, SignedTransaction } from '../protocol/index.ts';
import type { Store } from '../store/index.ts';
import type { Stopwatch } from '../time/time.ts';
import type { SignatureThreads } from './authorities/signature-checks.ts';
import type { BlockInputs } from './chain/block-inputs.ts';
import type { Chain } from './chain/chain.ts';
import type { MovableClock } from './chain/clock.ts';
import type { BlockSummary } from './chain/records.ts';
import type { RefusedError } from './errors/refusal.ts';
import type { ChainOrigin } from './genesis/chain-parameters.ts';
import { Listeners } from './listeners.ts';
import type { HeadState, WorkingState } from './state/working-state.ts';
import type { AppliedTransaction, TransactionRules } from './transactions/apply-transaction.ts';

/** State that follows from the genesis of an open chain; replaced as a whole with the chain of a test. */
export interface OpenOrigin extends ChainOrigin {
  readonly transactionRules: TransactionRules;
  readonly state: HeadState;
}

/** State that the parts of an open ledger share. */
export interface LedgerCore {
  readonly store: Store;
  readonly chain: Chain;
  readonly clock: MovableClock;
  readonly time: Stopwatch;
  readonly listeners: LedgerListeners;
  /** Undefined if the engine does not report executions. */
  readonly watch: ExecutionWatch | undefined;
  readonly prices: PricePolicy;
  /** Undefined: all signatures are checked when it is needed. */
  readonly signatureThreads: SignatureThreads | undefined;
  readonly pool: PendingPool;
  /** The origin of the chain, which only a replacement of the chain changes: never cache it. */
  origin: OpenOrigin;
}

/** The policy of a node for the prices of pending transactions; the rules of the chain do not depend on it. */
export interface PricePolicy {
  /** Order in its blocks: by the tip that the producer earns, or by arrival. */
  readonly order: 'fees' | 'fifo';
  /** Least fee cap of a submitted Ethereum transaction, in wei. */
  minGasPrice: bigint;
  /** Tip that the node suggests to clients, in wei. */
  readonly suggestedTip: bigint;
}

/** The pending transactions as blocks and look-ups use them; `src/ledger/pool` implements it. */
export interface PendingPool {
  /** Its `size` counts queued ones too. */
  readonly index: PendingLookup & { readonly size: number };
  readonly state: {
    /**
     * Returns the executed transactions, if a block of these inputs and transactions has the same results; else
     * undefined. They are valid until the pool changes.
     */
    executedFor(inputs: BlockInputs, transactions: readonly SignedTransaction[]): ExecutedPool | undefined;
  };
  /** Lists pending transactions in the order of arrival, without queued ones. */
  ready(): SignedTransaction[];
  /** Lists pending transactions in the order in which a block takes them. */
  inBlockOrder(): SignedTransaction[];
  /** Lists the sequences that leave the store with a block that removes these transactions from the pool. */
  leaving(ids: readonly string[]): number[];
  /**
   * Continues from a new head, whose block removed the transactions with these ids from the store: they leave the pool,
   * and the others are executed again until a moment has come.
   */
  rebase(ids: readonly string[], until: number): void;
  /** Returns the transactions that were dropped since the last call. */
  takeDropped(): DroppedTransaction[];
}

/** The look-up among pending and queued transactions. */
export interface PendingLookup {
  /** Finds an operation by its hash, or by the short hash of its inner Ethereum transaction. */
  find(hash: OperationHash): PendingPosition | undefined;
}

/** The position of a pending operation. */
export interface PendingPosition {
  readonly transaction: SignedTransaction;
  /** Index of the operation in the transaction. */
  readonly index: number;
}

/** Executed transactions, and the state after them. */
export interface ExecutedPool {
  readonly executed: readonly AppliedTransaction[];
  readonly state: WorkingState;
}

/** A pending transaction that became invalid. */
export interface DroppedTransaction {
  readonly transaction: SignedTransaction;
  readonly error: RefusedError;
}

/** The listeners of a ledger, which its parts notify. */
export class LedgerListeners {
  readonly block = new Listeners<[block: BlockSummary, work: BlockWork]>();
  readonly accepted = new Listeners<[hashes: readonly Hash[]]>();
  readonly pending = new Listeners<[transaction: SignedTransaction]>();
  readonly patched = new Listeners<[]>();
  readonly dropped = new Listeners<[dropped: DroppedTransaction]>();
  readonly reverting = new Listeners<[last: number]>();
}

/** The cost of adding a block, in time and gas. */
export interface BlockWork {
  /** Applying it: checks, execution, roots and, for a block of this node, its signature. */
  readonly applyMilliseconds: number;
  /** Writing it to the store. */
  readonly commitMilliseconds: number;
  /** Gas that its operations on contracts were charged together. */
  readonly gas: bigint;
}

/** An operation of a block that failed, or that called the console. */
export interface ReportedOperation {
  readonly index: number;
  readonly isFailure: boolean;
  readonly consoleCalls: ConsoleInputs | undefined;
}

/** Receives reports of executions in addition to their outcomes. Must not throw. */
export interface ExecutionListener {
  /** Console calls of a call, or of the first run of an estimate. */
  console?(calls: ConsoleInputs): void;
  /** Frames of a call, or of the first run of an estimate, that did not succeed. */
  failed?(root: CallFrame): void;
  /** A block was stored that has such operations, in their order. */
  included?(block: BlockSummary, operations: readonly ReportedOperation[]): void;
}

/** Holder of the listener to a ledger's executions; past states of it share it. */
export interface ExecutionWatch {
  listener: ExecutionListener | undefined;
}
