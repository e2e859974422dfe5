import {
  PENDING_BYTES_MAX,
  PENDING_GAS_MAX,
  PENDING_TRANSACTIONS_MAX,
  WRITE_SLICE_MS,
} from '../../limits.ts';
import type { OperationHash, SignedTransaction } from '../../protocol/index.ts';
import {
  bytesToHex,
  decode,
  encode,
  operationHash,
  signedTransactionCodec,
  transactionId,
} from '../../protocol/index.ts';
import type { PendingRecord, Store } from '../../store/index.ts';
import type { Stopwatch } from '../../time.ts';
import { ChainDamagedError, RefusedError, refuse } from '../errors/index.ts';
import type { WorkingState } from '../state/index.ts';
import { complete, inOneStep } from '../steps.ts';
import { applyRebuilding } from './engine-failure.ts';

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

interface Waiting {
  readonly transaction: SignedTransaction;
  /** Its number in the store. */
  readonly sequence: number;
  /** Length of its encoding. */
  readonly size: number;
  /** The hashes of its operations in hexadecimal. */
  readonly operationHashes: readonly string[];
  /** Gas that it used when it was executed last; 0 before the first time. */
  gasUsed: bigint;
}

/** Applies a transaction to the pool's state for the next block; returns the gas it used. Throws `RefusedError`. */
type ApplyPending = (state: WorkingState, transaction: SignedTransaction) => bigint;

/** The part of a store that keeps pending transactions. */
export type PendingStore = Pick<Store, 'pendingTransactions' | 'addPending' | 'removePending'>;

/** The id of a transaction in hexadecimal, as a key of maps. */
export function hexIdOf(transaction: SignedTransaction): string {
  return bytesToHex(transactionId(transaction));
}

/**
 * Transactions that wait for a block, first come first served, and in the store as long as they wait. Each was checked
 * and executed when it came. After a new head that is done again, as far as there is time for it: what was not reached
 * waits all the same, and its block checks it. A new transaction is executed on top of the head and of those that were
 * reached.
 */
export class PendingPool {
  readonly #store: PendingStore;
  readonly #makeState: () => WorkingState;
  readonly #apply: ApplyPending;
  readonly #time: Stopwatch;
  readonly #waiting = new Map<string, Waiting>();
  readonly #operations = new Map<string, PendingPosition>();
  /** Ids of those that are not executed on the state, in order. */
  #unexecuted = new Set<string>();
  /** Sequences of dropped transactions: they leave the store with the next block. */
  readonly #dropped: number[] = [];
  /** Dropped transactions that `takeDropped` has not returned yet. */
  readonly #unreported: DroppedTransaction[] = [];
  /** Sum of the sizes of all pending transactions. */
  #bytes = 0;
  /** Sum of the gas that they used when they were executed last. */
  #gas = 0n;
  /** Whether the state is not that of the head any more, or was left in the middle of something. */
  #isStale = false;
  /** Whether the engine has failed since the last head. */
  #hasEngineFailed = false;
  /** Made when it is first wanted: with instant production hardly ever. */
  #made: WorkingState | undefined;

  /** @param makeState makes a state of the pool's own, equal to that of the store */
  constructor(store: PendingStore, makeState: () => WorkingState, apply: ApplyPending, time: Stopwatch) {
    this.#time = time;
    this.#store = store;
    this.#makeState = makeState;
    this.#apply = apply;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** The state after the pending transactions, as far as they are executed. */
  get state(): WorkingState {
    this.#made ??= this.#makeState();
    if (this.#isStale) this.#made.clear();
    this.#isStale = false;
    return this.#made;
  }

  /** In the order in which they wait. */
  transactions(): SignedTransaction[] {
    return Array.from(this.#waiting.values(), ({ transaction }) => transaction);
  }

  has(transaction: SignedTransaction): boolean {
    return this.#waiting.has(hexIdOf(transaction));
  }

  find(hash: OperationHash): PendingPosition | undefined {
    return this.#operations.get(bytesToHex(hash));
  }

  /**
   * Checks, executes and keeps a transaction, which is in the store when this returns. Throws `RefusedError` and
   * what the store throws; then it does not wait.
   */
  add(transaction: SignedTransaction): void {
    const id = hexIdOf(transaction);
    if (this.#waiting.has(id)) refuse({ code: 'alreadyPending' });
    const bytes = encode(signedTransactionCodec, transaction);
    this.catchUp(this.#time.now() + WRITE_SLICE_MS);
    const isFull = this.size >= PENDING_TRANSACTIONS_MAX || this.#gas >= PENDING_GAS_MAX;
    if (isFull || this.#bytes + bytes.length > PENDING_BYTES_MAX) {
      const [most, gas] = [PENDING_TRANSACTIONS_MAX, PENDING_GAS_MAX];
      refuse({ code: 'pendingPoolFull', most, bytes: PENDING_BYTES_MAX, gas });
    }
    const gasUsed = this.#execute(transaction);
    const sequence = this.#storeNew(bytes);
    this.#keep(id, waiting({ sequence, bytes }, transaction, gasUsed));
  }

  /**
   * Takes in what waited when the store was closed, and executes it until a moment has come.
   * A transaction that the rules do not allow any more leaves the store.
   *
   * @throws ChainDamagedError for a record that cannot be read
   */
  restore(until: number): void {
    for (const read of readWaiting(this.#store.pendingTransactions())) {
      this.#keep(hexIdOf(read.transaction), read);
    }
    this.#unexecuted = new Set(this.#waiting.keys());
    this.catchUp(until);
    if (this.#dropped.length > 0) this.#store.removePending(this.#dropped.splice(0));
  }

  /**
   * Takes in what waits in the store by now instead of what did before; nothing of it is executed yet. What does not
   * wait any more counts as dropped.
   */
  replaceAll(now: readonly Waiting[]): void {
    const before = [...this.#waiting.values()];
    for (const { transaction } of before) this.#remove(hexIdOf(transaction));
    this.#dropped.length = 0;
    for (const read of now) this.#keep(hexIdOf(read.transaction), read);
    this.#startOver();
    const error = new RefusedError({ code: 'chainReverted' });
    for (const { transaction } of before) {
      if (!this.has(transaction)) this.#unreported.push({ transaction, error });
    }
  }

  /**
   * Executes what is not executed on the state until a moment has come. What the rules do not
   * allow any more is dropped.
   *
   * @returns whether there is more
   */
  catchUp(until: number): boolean {
    while (this.#unexecuted.size > 0) {
      if (this.#time.now() >= until) return true;
      const [id = ''] = this.#unexecuted;
      this.#executeAgain(id);
      this.#unexecuted.delete(id);
    }
    return false;
  }

  /**
   * Drops those that are chosen, from the store as well; what waited behind them is executed again, as far as there is
   * time for it.
   *
   * @returns how many
   * @throws what the store throws; nothing is dropped then
   */
  drop(isChosen: (transaction: SignedTransaction) => boolean): number {
    const chosen = [...this.#waiting].filter(([, { transaction }]) => isChosen(transaction));
    if (chosen.length === 0) return 0;
    this.#store.removePending(chosen.map(([, { sequence }]) => sequence));
    for (const [name, { transaction }] of chosen) {
      this.#remove(name);
      this.#unreported.push({ transaction, error: new RefusedError({ code: 'droppedOnDemand' }) });
    }
    this.#startOver();
    this.catchUp(this.#time.now() + WRITE_SLICE_MS);
    return chosen.length;
  }

  /** Returns the transactions that were dropped since the last call. */
  takeDropped(): DroppedTransaction[] {
    return this.#unreported.splice(0);
  }

  /** The sequences that leave the store with a block that takes transactions with these ids out of the pool. */
  leaving(ids: readonly string[]): number[] {
    const sequences = ids.flatMap((id) => this.#waiting.get(id)?.sequence ?? []);
    return [...this.#dropped, ...sequences];
  }

  /**
   * Starts over from a new head, whose block took the transactions with these ids out of the store: they leave the
   * pool, and the rest is executed again until a moment has come.
   */
  rebase(ids: readonly string[], until: number): void {
    for (const id of ids) this.#remove(id);
    this.#dropped.length = 0;
    this.reload();
    this.catchUp(until);
  }

  /** Starts over from another head, on which nothing of what waits is executed yet. */
  reload(): void {
    this.#hasEngineFailed = false;
    this.#startOver();
  }

  /** From here on the state is the head's, and nothing is executed on it. */
  #startOver(): void {
    this.#isStale = true;
    this.#unexecuted = new Set(this.#waiting.keys());
  }

  #executeAgain(id: string): void {
    const found = this.#waiting.get(id);
    if (found === undefined) return;
    try {
      const gasUsed = this.#execute(found.transaction);
      this.#gas += gasUsed - found.gasUsed;
      found.gasUsed = gasUsed;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.#remove(id);
      this.#dropped.push(found.sequence);
      this.#unreported.push({ transaction: found.transaction, error });
    }
  }

  /** Applies a transaction on top of what is executed; returns the gas that it used. */
  #execute(transaction: SignedTransaction): bigint {
    return complete(
      applyRebuilding(
        () => inOneStep(() => this.#applyNext(transaction)),
        () => inOneStep(() => this.#rebuild()),
      ),
    );
  }

  /**
   * The engine had no room for a transaction on top of the others: it gets a state of its own. The others follow, once
   * for each head, since it may go on like that.
   */
  #rebuild(): void {
    this.#isStale = true;
    if (!this.#hasEngineFailed) this.#startOver();
    this.#hasEngineFailed = true;
  }

  /** Writes a transaction that was just applied to the store; where that fails, the state is made anew. */
  #storeNew(bytes: Uint8Array): number {
    try {
      return this.#store.addPending(bytes);
    } catch (error) {
      this.#startOver();
      throw error;
    }
  }

  #keep(id: string, kept: Waiting): void {
    this.#waiting.set(id, kept);
    this.#bytes += kept.size;
    this.#gas += kept.gasUsed;
    const { transaction } = kept;
    kept.operationHashes.forEach((hash, index) => {
      if (!this.#operations.has(hash)) this.#operations.set(hash, { transaction, index });
    });
  }

  #remove(id: string): void {
    const removed = this.#waiting.get(id);
    if (removed === undefined) return;
    this.#waiting.delete(id);
    this.#bytes -= removed.size;
    this.#gas -= removed.gasUsed;
    for (const hash of removed.operationHashes) {
      if (this.#operations.get(hash)?.transaction === removed.transaction) this.#operations.delete(hash);
    }
  }

  /** Applies a transaction; after an error other than a refusal the state is the head's again. */
  #applyNext(transaction: SignedTransaction): bigint {
    try {
      return this.#apply(this.state, transaction);
    } catch (error) {
      this.#isStale = !(error instanceof RefusedError);
      throw error;
    }
  }
}

function waiting(
  { sequence, bytes }: PendingRecord,
  transaction: SignedTransaction,
  gasUsed: bigint,
): Waiting {
  const { refBlockNum, refBlockPrefix, expiration, operations } = transaction;
  const operationHashes = operations.map((operation) =>
    bytesToHex(operationHash(operation, refBlockNum, refBlockPrefix, expiration)),
  );
  return { transaction, sequence, size: bytes.length, operationHashes, gasUsed };
}

/**
 * Reads transactions as a store keeps them while they wait.
 * @throws ChainDamagedError for a record that cannot be read
 */
export function readWaiting(records: Iterable<PendingRecord>): Waiting[] {
  return Array.from(records, (record) => waiting(record, readRecord(record), 0n));
}

function readRecord({ sequence, bytes }: PendingRecord): SignedTransaction {
  try {
    return decode(signedTransactionCodec, bytes);
  } catch (cause) {
    throw new ChainDamagedError(`the pending transaction ${sequence} cannot be read`, { cause });
  }
}
