import { PENDING_BYTES_MAX, PENDING_GAS_MAX, PENDING_TRANSACTIONS_MAX } from '../limits.ts';
import type { OperationHash, SignedTransaction } from '../protocol/index.ts';
import {
  bytesToHex,
  decode,
  encode,
  operationHash,
  signedTransactionCodec,
  transactionId,
} from '../protocol/index.ts';
import type { PendingRecord, Store } from '../store/index.ts';
import { applyRebuilding } from './engine-failure.ts';
import { ChainDamagedError } from './errors.ts';
import { RefusedError, refuse } from './refusal.ts';
import type { WorkingState } from './working-state.ts';

/** Where an operation waits. */
export interface PendingPosition {
  readonly transaction: SignedTransaction;
  /** Index of the operation in the transaction. */
  readonly index: number;
}

/** A pending transaction that the rules do not allow any more. */
export interface DroppedTransaction {
  readonly transaction: SignedTransaction;
  readonly error: RefusedError;
}

/** A transaction that waits. */
interface Waiting {
  readonly transaction: SignedTransaction;
  /** Its number in the store. */
  readonly sequence: number;
  /** Length of its encoding. */
  readonly size: number;
}

/** Applies a transaction to the pool's state for the next block; returns its charge. Throws `RefusedError`. */
type ApplyPending = (state: WorkingState, transaction: SignedTransaction) => bigint;

/** What a pool keeps its transactions in. */
export type PendingStore = Pick<Store, 'pendingTransactions' | 'addPending' | 'removePending'>;

/** What the ledger calls a transaction: its id in hexadecimal. */
export function nameOf(transaction: SignedTransaction): string {
  return bytesToHex(transactionId(transaction));
}

/**
 * Transactions that wait for a block, first come first served. Each was checked and executed on top of the head
 * and of those before it, and is in the store as long as it waits.
 */
export class PendingPool {
  readonly #store: PendingStore;
  readonly #makeState: () => WorkingState;
  readonly #apply: ApplyPending;
  readonly #waiting = new Map<string, Waiting>();
  readonly #operations = new Map<string, PendingPosition>();
  /** Sequences of dropped transactions: they leave the store with the next block. */
  readonly #dropped: number[] = [];
  /** What the transactions that wait have together. */
  #bytes = 0;
  /** What they were charged together when they were executed last. */
  #gas = 0n;
  #stale = false;
  /** Made when it is first wanted: with instant production hardly ever. */
  #made: WorkingState | undefined;

  /** @param makeState makes a state of the pool's own, equal to that of the store */
  constructor(store: PendingStore, makeState: () => WorkingState, apply: ApplyPending) {
    this.#store = store;
    this.#makeState = makeState;
    this.#apply = apply;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** The state after all pending transactions. */
  get state(): WorkingState {
    this.#refresh();
    return this.#state;
  }

  get #state(): WorkingState {
    this.#made ??= this.#makeState();
    return this.#made;
  }

  /** In the order in which they wait. */
  transactions(): SignedTransaction[] {
    return Array.from(this.#waiting.values(), ({ transaction }) => transaction);
  }

  has(transaction: SignedTransaction): boolean {
    return this.#waiting.has(nameOf(transaction));
  }

  find(hash: OperationHash): PendingPosition | undefined {
    return this.#operations.get(bytesToHex(hash));
  }

  /**
   * Checks, executes and keeps a transaction, which is in the store when this returns. Throws `RefusedError` and
   * what the store throws; then it does not wait.
   */
  add(transaction: SignedTransaction): void {
    const name = nameOf(transaction);
    if (this.#waiting.has(name)) refuse({ code: 'alreadyPending' });
    const bytes = encode(signedTransactionCodec, transaction);
    this.#refresh();
    const isFull = this.size >= PENDING_TRANSACTIONS_MAX || this.#gas >= PENDING_GAS_MAX;
    if (isFull || this.#bytes + bytes.length > PENDING_BYTES_MAX) {
      const [most, gas] = [PENDING_TRANSACTIONS_MAX, PENDING_GAS_MAX];
      refuse({ code: 'pendingPoolFull', most, bytes: PENDING_BYTES_MAX, gas });
    }
    this.#execute(transaction);
    this.#keep(name, { transaction, sequence: this.#storeNew(bytes), size: bytes.length });
  }

  /**
   * Takes in what waited when the store was closed. What the rules do not allow any more leaves the store, and is
   * returned with the reason.
   *
   * @throws ChainDamagedError for a record that cannot be read
   */
  restore(): DroppedTransaction[] {
    const records = [...this.#store.pendingTransactions()];
    const dropped = this.#place(records.map(readRecord));
    if (this.#dropped.length > 0) this.#store.removePending(this.#dropped.splice(0));
    return dropped;
  }

  /** The sequences that leave the store with a block after which the named transactions wait no longer. */
  leaving(gone: readonly string[]): number[] {
    const sequences = gone.flatMap((name) => this.#waiting.get(name)?.sequence ?? []);
    return [...this.#dropped, ...sequences];
  }

  /**
   * Starts over from a new head, whose block took the named transactions out of the store: they leave the pool,
   * the rest is executed again. Returns what the rules do not allow any more, with the reason.
   */
  rebase(gone: readonly string[]): DroppedTransaction[] {
    this.#stale = true;
    this.#dropped.length = 0;
    for (const name of gone) this.#waiting.delete(name);
    const rest = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#bytes = 0;
    this.#operations.clear();
    return this.#place(rest);
  }

  /** Executes stored transactions and keeps them; returns what is refused, which no longer waits. */
  #place(stored: readonly Waiting[]): DroppedTransaction[] {
    const dropped: DroppedTransaction[] = [];
    for (const waiting of stored) {
      const { transaction, sequence } = waiting;
      try {
        this.#execute(transaction);
        this.#keep(nameOf(transaction), waiting);
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error;
        dropped.push({ transaction, error });
        this.#dropped.push(sequence);
      }
    }
    return dropped;
  }

  /** Applies a transaction on top of those that wait. */
  #execute(transaction: SignedTransaction): void {
    this.#refresh();
    applyRebuilding(
      () => this.#applyNext(transaction),
      () => this.#refresh(),
    );
  }

  /** Writes a transaction that was just applied to the store; where that fails, the state is made anew. */
  #storeNew(bytes: Uint8Array): number {
    try {
      return this.#store.addPending(bytes);
    } catch (error) {
      this.#stale = true;
      throw error;
    }
  }

  #keep(name: string, waiting: Waiting): void {
    this.#waiting.set(name, waiting);
    this.#bytes += waiting.size;
    const { transaction } = waiting;
    const { refBlockNum, refBlockPrefix, expiration } = transaction;
    transaction.operations.forEach((operation, index) => {
      const hash = bytesToHex(operationHash(operation, refBlockNum, refBlockPrefix, expiration));
      if (!this.#operations.has(hash)) this.#operations.set(hash, { transaction, index });
    });
  }

  /** Applies a transaction; after an error other than a refusal the state has to be made anew. */
  #applyNext(transaction: SignedTransaction): void {
    try {
      this.#gas += this.#apply(this.#state, transaction);
    } catch (error) {
      this.#stale = !(error instanceof RefusedError);
      throw error;
    }
  }

  /** Makes a state anew that is out of date or was lost: the head's, with what waits on top. */
  #refresh(): void {
    if (!this.#stale) return;
    this.#made?.clear();
    this.#gas = 0n;
    this.#stale = false;
    for (const { transaction } of this.#waiting.values()) {
      try {
        this.#applyNext(transaction);
      } catch (error) {
        // The clock has moved on, and the block that comes will drop it.
        if (!(error instanceof RefusedError)) throw error;
      }
    }
  }
}

function readRecord({ sequence, bytes }: PendingRecord): Waiting {
  try {
    return { sequence, transaction: decode(signedTransactionCodec, bytes), size: bytes.length };
  } catch (cause) {
    throw new ChainDamagedError(`the pending transaction ${sequence} cannot be read`, { cause });
  }
}
