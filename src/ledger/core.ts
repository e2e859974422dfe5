import type { CallFrame, ConsoleInputs } from '../evm/index.ts';
import type { Hash, SignedTransaction } from '../protocol/index.ts';
import type { Store } from '../store/index.ts';
import type { Stopwatch } from '../time.ts';
import type { SignatureThreads } from './authorities/signature-checks.ts';
import type { Chain } from './chain/chain.ts';
import type { MovableClock } from './chain/clock.ts';
import type { BlockSummary } from './chain/records.ts';
import type { ChainOrigin } from './genesis/chain-parameters.ts';
import { Listeners } from './listeners.ts';
import type { HeadState } from './state/working-state.ts';
import type { TransactionRules } from './transactions/apply-transaction.ts';
import type { DroppedTransaction, PendingPool } from './transactions/pending-pool.ts';
import type { PricePolicy } from './transactions/prices.ts';

/** State that follows from the genesis of an open chain; replaced as a whole with the chain of a test. */
export interface OpenOrigin extends ChainOrigin {
  readonly transactionRules: TransactionRules;
  readonly state: HeadState;
  readonly pool: PendingPool;
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
  /** The origin of the chain, which only a replacement of the chain changes: never cache it. */
  origin: OpenOrigin;
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
