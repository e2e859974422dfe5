import { invariant, type SignedTransaction } from '../../protocol/index.ts';
import type { BlockInputs } from '../chain/block-inputs.ts';
import { RefusedError } from '../errors/refusal.ts';
import { MissingEntriesError } from '../state/fork-base.ts';
import type { WorkingState } from '../state/working-state.ts';
import { complete, inOneStep } from '../steps.ts';
import { applyRebuilding } from './apply-transaction.ts';
import {
  type ExecutedPool,
  type ExecutedTransaction,
  ExecutedTransactions,
} from './executed-transactions.ts';
import type { PendingRules } from './pending-rules.ts';
import type { PendingTransaction, PendingTransactions } from './pending-transactions.ts';

/** The progress of the pool's state through the pending transactions. Restarting takes constant time. */
class ExecutionCursor {
  readonly #pending: PendingTransactions;
  /** Ids of those that are executed on the state. */
  #executed = new Set<string>();
  #next: Iterator<PendingTransaction>;

  constructor(pending: PendingTransactions) {
    this.#pending = pending;
    this.#next = pending.each();
  }

  /** True if executable transactions were not executed yet. */
  get isBehind(): boolean {
    return this.#executed.size < this.#pending.readyCount;
  }

  has(id: string): boolean {
    return this.#executed.has(id);
  }

  /** Marks a transaction as executed on the state. */
  add(id: string): void {
    this.#executed.add(id);
  }

  /** Marks all transactions as not executed. */
  startOver(): void {
    this.#executed = new Set();
    this.#next = this.#pending.each();
  }

  /** Returns the next executable transaction; there is one while the walk is behind. */
  next(): PendingTransaction {
    return this.#nextOnWay() ?? this.#nextFromStart();
  }

  /** Finds a transaction that was skipped while it could not be executed, or whose execution was interrupted. */
  #nextFromStart(): PendingTransaction {
    this.#next = this.#pending.each();
    const found = this.#nextOnWay();
    invariant(found !== undefined, 'more could be executed than is');
    return found;
  }

  #nextOnWay(): PendingTransaction | undefined {
    for (let step = this.#next.next(); step.done !== true; step = this.#next.next()) {
      const { id } = step.value;
      if (!this.#executed.has(id) && !this.#pending.queue.has(id)) return step.value;
    }
    return undefined;
  }
}

/** The state after the executed pending transactions, and the progress of their execution. */
export class PoolState {
  readonly #make: () => WorkingState;
  readonly #apply: PendingRules['apply'];
  readonly #onRestart: () => void;
  readonly #cursor: ExecutionCursor;
  /** Those that are executed on the state; undefined before the first. */
  #executed: ExecutedTransactions | undefined;
  /** True if the state is not based on the head any more, or was left incomplete. */
  #isStale = false;
  /** True if the engine has failed since the last head. */
  #hasEngineFailed = false;
  /** The state, made on first use: with instant production hardly ever. */
  #made: WorkingState | undefined;

  /**
   * @param make makes a separate state, equal to that of the store
   * @param onRestart called when nothing is executed any more
   */
  constructor(
    make: () => WorkingState,
    apply: PendingRules['apply'],
    pending: PendingTransactions,
    onRestart: () => void,
  ) {
    this.#make = make;
    this.#apply = apply;
    this.#cursor = new ExecutionCursor(pending);
    this.#onRestart = onRestart;
  }

  /** The state; it is cleared first if necessary. */
  get current(): WorkingState {
    this.#made ??= this.#make();
    if (this.#isStale) this.#made.clear();
    this.#isStale = false;
    return this.#made;
  }

  /** True if executable transactions were not executed yet. */
  get isBehind(): boolean {
    return this.#cursor.isBehind;
  }

  /** Returns true for the id of a transaction that is executed on the state. */
  has(id: string): boolean {
    return this.#cursor.has(id);
  }

  /** Returns the next executable transaction; there is one while the state is behind. */
  next(): PendingTransaction {
    return this.#cursor.next();
  }

  /** Applies a transaction on top of the executed ones. Throws `RefusedError`. */
  execute(transaction: SignedTransaction): ExecutedTransaction {
    return complete(
      applyRebuilding(
        () => inOneStep(() => this.#applyNext(transaction)),
        () => inOneStep(() => this.#rebuild()),
      ),
    );
  }

  /** Notes that a transaction is executed on the state, unless the state was cleared meanwhile. */
  note(id: string, transaction: SignedTransaction, executed: ExecutedTransaction): void {
    if (this.#isStale) return;
    this.#cursor.add(id);
    this.#executed ??= new ExecutedTransactions();
    this.#executed.add(transaction, executed);
  }

  /**
   * Returns the executed transactions, if a block of these inputs and transactions has the same results; else
   * undefined. They are valid until the pool changes.
   */
  executedFor(inputs: BlockInputs, transactions: readonly SignedTransaction[]): ExecutedPool | undefined {
    const executed = this.#isStale ? undefined : this.#executed?.usableFor(inputs, transactions);
    return executed && this.#made && { executed, state: this.#made };
  }

  /** Resets the state to that of the head, with nothing executed on it. */
  startOver(): void {
    this.#makeStale();
    this.#cursor.startOver();
    this.#onRestart();
  }

  /** Continues from another head. */
  reload(): void {
    this.#hasEngineFailed = false;
    this.startOver();
  }

  /** Applies a transaction; after an error other than a refusal the state is the head's again. */
  #applyNext(transaction: SignedTransaction): ExecutedTransaction {
    try {
      return this.#apply(this.current, transaction);
    } catch (error) {
      if (error instanceof MissingEntriesError) this.startOver();
      else if (!(error instanceof RefusedError)) this.#makeStale();
      throw error;
    }
  }

  /**
   * Clears the state for a transaction for which the engine had no room. The others follow, only once for each head,
   * since it may happen again.
   */
  #rebuild(): void {
    this.#makeStale();
    if (!this.#hasEngineFailed) this.startOver();
    this.#hasEngineFailed = true;
  }

  #makeStale(): void {
    this.#isStale = true;
    this.#executed = undefined;
  }
}

/** Runs an action after a change that the caller must not repeat: it ends early where entries are missing. */
export function unlessMissing(action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!(error instanceof MissingEntriesError)) throw error;
  }
}
