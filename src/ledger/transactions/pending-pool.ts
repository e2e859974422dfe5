import {
  PENDING_BYTES_MAX,
  PENDING_GAS_MAX,
  PENDING_TRANSACTIONS_MAX,
  QUEUED_MAX,
  QUEUED_OF_SENDER_MAX,
  QUEUED_SECONDS_MAX,
  WRITE_SLICE_MS,
} from '../../limits.ts';
import type { Address, OperationHash, SignedTransaction } from '../../protocol/index.ts';
import { encode, signedTransactionCodec } from '../../protocol/index.ts';
import type { Store } from '../../store/index.ts';
import type { Stopwatch } from '../../time.ts';
import { RefusedError, refuse } from '../errors/index.ts';
import { checkAffordable, requireHigherFees } from '../operations/index.ts';
import type { WorkingState } from '../state/index.ts';
import { complete, inOneStep } from '../steps.ts';
import { applyRebuilding } from './engine-failure.ts';
import { carrierIn, type SenderPlace, senderPlaceOf } from './ethereum-envelope.ts';
import {
  hexIdOf,
  type PendingPosition,
  readWaiting,
  type Waiting,
  WaitingTransactions,
  waiting,
} from './waiting-transactions.ts';

const MILLISECONDS = 1_000;

/** A pending transaction that the rules do not allow any more. */
export interface DroppedTransaction {
  readonly transaction: SignedTransaction;
  readonly error: RefusedError;
}

/** Applies a transaction to the pool's state for the next block; returns the gas it used. Throws `RefusedError`. */
type ApplyPending = (state: WorkingState, transaction: SignedTransaction) => bigint;

/** The part of a store that keeps pending transactions. */
export type PendingStore = Pick<Store, 'pendingTransactions' | 'addPending' | 'removePending'>;

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
  readonly #waiting = new WaitingTransactions();
  /** Ids of those that are not executed on the state, in order. */
  #unexecuted = new Set<string>();
  /** Whether some of the queue may have become executable, or obsolete, since it was looked through. */
  #isQueueStale = false;
  /** Sequences of dropped transactions: they leave the store with the next block. */
  readonly #dropped: number[] = [];
  /** Dropped transactions that `takeDropped` has not returned yet. */
  readonly #unreported: DroppedTransaction[] = [];
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

  /** In the order in which they wait; without those that wait for lower nonces. */
  transactions(): SignedTransaction[] {
    return this.#waiting.ready().map(({ transaction }) => transaction);
  }

  /** Those that wait for lower nonces of their senders. */
  queued(): SignedTransaction[] {
    return this.#waiting.queued().map(({ transaction }) => transaction);
  }

  /** Whether one waits that has this place among those of its sender. */
  isTaken(place: SenderPlace): boolean {
    return this.#waiting.at(place) !== undefined;
  }

  /** The first nonce from one on that no waiting transaction of a sender has. */
  nextNonce(place: SenderPlace): bigint {
    return this.#waiting.nextNonce(place);
  }

  has(transaction: SignedTransaction): boolean {
    return this.#waiting.has(hexIdOf(transaction));
  }

  find(hash: OperationHash): PendingPosition | undefined {
    return this.#waiting.find(hash);
  }

  /**
   * Checks, executes and keeps a transaction, which is in the store when this returns. Throws `RefusedError` and
   * what the store throws; then it does not wait.
   */
  add(transaction: SignedTransaction): void {
    if (this.has(transaction)) refuse({ code: 'alreadyPending' });
    const bytes = encode(signedTransactionCodec, transaction);
    this.#catchUpAWhile();
    const isFull = this.size >= PENDING_TRANSACTIONS_MAX || this.#waiting.gas >= PENDING_GAS_MAX;
    if (isFull || this.#waiting.bytes + bytes.length > PENDING_BYTES_MAX) {
      const [most, gas] = [PENDING_TRANSACTIONS_MAX, PENDING_GAS_MAX];
      refuse({ code: 'pendingPoolFull', most, bytes: PENDING_BYTES_MAX, gas });
    }
    const place = senderPlaceOf(transaction);
    if (place === undefined) this.#keepNew(transaction, bytes, this.#execute(transaction));
    else this.#addAt(place, transaction, bytes);
  }

  /**
   * Adds a transaction of Ethereum's: in the place of another one of its sender and nonce, whose fees have to be lower,
   * and to the queue where lower nonces are missing.
   */
  #addAt(place: SenderPlace, transaction: SignedTransaction, bytes: Uint8Array): void {
    const rival = this.#waiting.at(place);
    if (rival !== undefined) this.#makeWay(rival, transaction);
    try {
      const gasUsed = this.#executeOrQueue(place, transaction);
      this.#keepNew(transaction, bytes, gasUsed);
    } catch (error) {
      this.#waiting.queue.remove({ id: hexIdOf(transaction), place });
      if (rival !== undefined) this.#takeBack(rival);
      throw error;
    }
    if (rival !== undefined) {
      this.#store.removePending([rival.sequence]);
      this.#report(rival, new RefusedError({ code: 'replaced' }));
    }
    this.#catchUpAWhile();
  }

  /** Takes one out of the way that is to be replaced; what waited behind it is executed without it. */
  #makeWay(rival: Waiting, by: SignedTransaction): void {
    const [old, replacement] = [carrierIn(rival.transaction), carrierIn(by)];
    if (old !== undefined && replacement !== undefined) requireHigherFees(old, replacement);
    const wasQueued = this.#waiting.queue.has(rival.id);
    this.#waiting.remove(rival.id);
    if (wasQueued) return;
    this.#startOver();
    this.#catchUpAWhile();
  }

  /** Puts one back that was to be replaced. */
  #takeBack(rival: Waiting): void {
    this.#waiting.keep(rival);
    this.#startOver();
    this.#catchUpAWhile();
  }

  /**
   * Executes a transaction of Ethereum's; one that lacks lower nonces goes to the queue, where there is room, or behind
   * those that wait to be executed.
   */
  #executeOrQueue(place: SenderPlace, transaction: SignedTransaction): bigint {
    const id = hexIdOf(transaction);
    try {
      return this.#execute(transaction);
    } catch (error) {
      if (!isAhead(error)) throw error;
    }
    const carrier = carrierIn(transaction);
    if (carrier !== undefined) checkAffordable(this.state, carrier);
    const { sender } = place;
    const nonce = this.#nonceOf(sender);
    if (this.#waiting.nextNonce({ sender, nonce }) === place.nonce) {
      this.#unexecuted.add(id);
      return 0n;
    }
    const { queue } = this.#waiting;
    const most = QUEUED_OF_SENDER_MAX;
    if (queue.countOf(place) >= most || queue.size >= QUEUED_MAX) refuse({ code: 'queueFull', sender, most });
    queue.add({ id, place, since: this.#time.now() });
    return 0n;
  }

  /** The nonce of the next transaction of a sender, after those that are executed. */
  #nonceOf(sender: Address): bigint {
    return this.state.engine.accountState(sender)?.nonce ?? 0n;
  }

  /** Has those of the queue executed that nothing is missing to any more, and drops what waited too long. */
  #lookThroughQueue(): void {
    const { queue } = this.#waiting;
    this.#isQueueStale = false;
    for (const { id } of queue.olderThan(this.#time.now() - QUEUED_SECONDS_MAX * MILLISECONDS)) {
      this.#drop(id, new RefusedError({ code: 'queuedTooLong', seconds: QUEUED_SECONDS_MAX }));
    }
    for (const { id, place } of queue.firstOfEach()) {
      const found = this.#waiting.get(id);
      if (found === undefined || place.nonce > this.#nonceOf(place.sender)) continue;
      this.#waiting.leaveQueue(found);
      this.#unexecuted.add(id);
    }
  }

  /**
   * Takes in what waited when the store was closed, and executes it until a moment has come.
   * A transaction that the rules do not allow any more leaves the store.
   *
   * @throws ChainDamagedError for a record that cannot be read
   */
  restore(until: number): void {
    for (const read of readWaiting(this.#store.pendingTransactions())) this.#waiting.keep(read);
    this.#unexecuted = new Set(this.#waiting.all().map(({ id }) => id));
    this.catchUp(until);
    if (this.#dropped.length > 0) this.#store.removePending(this.#dropped.splice(0));
  }

  /**
   * Takes in what waits in the store by now instead of what did before; nothing of it is executed yet. What does not
   * wait any more counts as dropped.
   */
  replaceAll(now: readonly Waiting[]): void {
    const before = this.#waiting.all();
    for (const { id } of before) this.#waiting.remove(id);
    this.#dropped.length = 0;
    for (const read of now) this.#waiting.keep(read);
    this.#startOver();
    for (const gone of before) {
      if (!this.#waiting.has(gone.id)) this.#report(gone, new RefusedError({ code: 'chainReverted' }));
    }
  }

  /**
   * Executes what is not executed on the state until a moment has come. What the rules do not
   * allow any more is dropped.
   *
   * @returns whether there is more
   */
  catchUp(until: number): boolean {
    for (;;) {
      if (this.#unexecuted.size === 0 && this.#isQueueStale) this.#lookThroughQueue();
      if (this.#unexecuted.size === 0) return false;
      if (this.#time.now() >= until) return true;
      const [id = ''] = this.#unexecuted;
      this.#executeAgain(id);
      this.#unexecuted.delete(id);
    }
  }

  /**
   * Drops those that are chosen, from the store as well; what waited behind them is executed again, as far as there is
   * time for it.
   *
   * @returns how many
   * @throws what the store throws; nothing is dropped then
   */
  drop(isChosen: (transaction: SignedTransaction) => boolean): number {
    const chosen = this.#waiting.all().filter(({ transaction }) => isChosen(transaction));
    if (chosen.length === 0) return 0;
    this.#store.removePending(chosen.map(({ sequence }) => sequence));
    for (const gone of chosen) {
      this.#waiting.remove(gone.id);
      this.#report(gone, new RefusedError({ code: 'droppedOnDemand' }));
    }
    this.#startOver();
    this.#catchUpAWhile();
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
    for (const id of ids) this.#waiting.remove(id);
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
    this.#unexecuted = new Set(this.#waiting.ready().map(({ id }) => id));
    this.#isQueueStale = this.#waiting.queue.size > 0;
  }

  #executeAgain(id: string): void {
    const found = this.#waiting.get(id);
    if (found === undefined) return;
    const { place, transaction } = found;
    try {
      this.#waiting.noteGas(found, this.#execute(transaction));
      if (place !== undefined && this.#waiting.queue.size > 0) this.#isQueueStale = true;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      if (place !== undefined && isAhead(error)) {
        this.#waiting.queue.add({ id, place, since: this.#time.now() });
      } else this.#drop(id, error);
    }
  }

  /** Drops one: it leaves the store with the next block. What waits for it in the queue goes on waiting. */
  #drop(id: string, error: RefusedError): void {
    const dropped = this.#waiting.remove(id);
    if (dropped === undefined) return;
    this.#dropped.push(dropped.sequence);
    this.#report(dropped, error);
  }

  #report({ transaction }: Waiting, error: RefusedError): void {
    this.#unreported.push({ transaction, error });
  }

  #catchUpAWhile(): void {
    this.catchUp(this.#time.now() + WRITE_SLICE_MS);
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
  #keepNew(transaction: SignedTransaction, bytes: Uint8Array, gasUsed: bigint): void {
    try {
      const sequence = this.#store.addPending(bytes);
      this.#waiting.keep({ ...waiting({ sequence, bytes }, transaction), gasUsed });
      if (this.#waiting.queue.size > 0) this.#isQueueStale = true;
    } catch (error) {
      this.#unexecuted.delete(hexIdOf(transaction));
      this.#startOver();
      throw error;
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

/** Whether a transaction lacks lower nonces of its sender, and nothing else is known to be wrong with it. */
function isAhead(error: unknown): boolean {
  return error instanceof RefusedError && error.reason.code === 'nonceTooHigh';
}
