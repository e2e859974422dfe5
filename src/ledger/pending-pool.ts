import { PENDING_TRANSACTIONS_MAX } from '../limits.ts';
import type { OperationHash, SignedTransaction } from '../protocol/index.ts';
import { bytesToHex, operationHash, transactionId } from '../protocol/index.ts';
import { applyRebuilding } from './engine-failure.ts';
import { RefusedError, refuse } from './refusal.ts';
import type { WorkingState } from './working-state.ts';

/** Where an operation waits. */
export interface PendingPosition {
  readonly transaction: SignedTransaction;
  /** Index of the operation in the transaction. */
  readonly index: number;
}

/**
 * Transactions that wait for a block, first come first served. Each was checked and executed on top of the head
 * and of those before it.
 */
export class PendingPool {
  readonly #state: WorkingState;
  readonly #apply: (state: WorkingState, transaction: SignedTransaction) => void;
  readonly #transactions = new Map<string, SignedTransaction>();
  readonly #operations = new Map<string, PendingPosition>();
  #stale = false;

  /** `apply` applies a transaction to the pool's state for the next block; it throws `RefusedError`. */
  constructor(state: WorkingState, apply: (state: WorkingState, transaction: SignedTransaction) => void) {
    this.#state = state;
    this.#apply = apply;
  }

  get size(): number {
    return this.#transactions.size;
  }

  /** The state after all pending transactions. */
  get state(): WorkingState {
    this.#refresh();
    return this.#state;
  }

  /** In the order in which they wait. */
  transactions(): SignedTransaction[] {
    return [...this.#transactions.values()];
  }

  has(transaction: SignedTransaction): boolean {
    return this.#transactions.has(nameOf(transaction));
  }

  find(hash: OperationHash): PendingPosition | undefined {
    return this.#operations.get(bytesToHex(hash));
  }

  /** Checks, executes and keeps a transaction. Throws `RefusedError`. */
  add(transaction: SignedTransaction): void {
    if (this.has(transaction)) refuse({ code: 'alreadyPending' });
    if (this.size >= PENDING_TRANSACTIONS_MAX)
      refuse({ code: 'pendingPoolFull', most: PENDING_TRANSACTIONS_MAX });
    this.#refresh();
    applyRebuilding(
      () => this.#applyNext(transaction),
      () => this.#refresh(),
    );
    this.#transactions.set(nameOf(transaction), transaction);
    this.#index(transaction);
  }

  /**
   * Starts over from a new head: what is in `gone` leaves the pool, the rest is executed again. Returns what the
   * rules do not allow any more, with the reason.
   */
  rebase(gone: readonly SignedTransaction[]): { transaction: SignedTransaction; error: RefusedError }[] {
    this.#stale = true;
    if (this.size === 0) return [];
    const waiting = new Map(this.#transactions);
    for (const transaction of gone) waiting.delete(nameOf(transaction));
    this.#transactions.clear();
    this.#operations.clear();
    const dropped: { transaction: SignedTransaction; error: RefusedError }[] = [];
    for (const transaction of waiting.values()) {
      try {
        this.add(transaction);
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error;
        dropped.push({ transaction, error });
      }
    }
    return dropped;
  }

  /** Applies a transaction; after an error other than a refusal the state has to be made anew. */
  #applyNext(transaction: SignedTransaction): void {
    try {
      this.#apply(this.#state, transaction);
    } catch (error) {
      this.#stale = !(error instanceof RefusedError);
      throw error;
    }
  }

  /** Makes a state anew that is out of date or was lost: the head's, with what waits on top. */
  #refresh(): void {
    if (!this.#stale) return;
    this.#state.clear();
    this.#stale = false;
    for (const transaction of this.#transactions.values()) {
      try {
        this.#applyNext(transaction);
      } catch (error) {
        // The clock has moved on, and the block that comes will drop it.
        if (!(error instanceof RefusedError)) throw error;
      }
    }
  }

  #index(transaction: SignedTransaction): void {
    const { refBlockNum, refBlockPrefix, expiration } = transaction;
    transaction.operations.forEach((operation, index) => {
      const hash = bytesToHex(operationHash(operation, refBlockNum, refBlockPrefix, expiration));
      if (!this.#operations.has(hash)) this.#operations.set(hash, { transaction, index });
    });
  }
}

const nameOf = (transaction: SignedTransaction): string => bytesToHex(transactionId(transaction));
