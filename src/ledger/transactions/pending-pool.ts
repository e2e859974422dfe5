import { QUEUED_SECONDS_MAX, WRITE_SLICE_MS } from '../../limits.ts';
import type { Address, OperationHash, SignedTransaction } from '../../protocol/index.ts';
import { encode, signedTransactionCodec } from '../../protocol/index.ts';
import type { Store } from '../../store/index.ts';
import type { Stopwatch } from '../../time.ts';
import { RefusedError, refuse } from '../errors/refusal.ts';
import { checkAffordable, requireHigherFees } from '../operations/ethereum-transaction.ts';
import type { WorkingState } from '../state/working-state.ts';
import { complete, inOneStep } from '../steps.ts';
import { applyRebuilding, ExecutionWalk } from './apply-transaction.ts';
import { envelopeIn, type SenderNonce, senderNonceOf } from './ethereum-envelope.ts';
import {
  hexIdOf,
  holderOf,
  type PendingPosition,
  type PendingTransaction,
  PendingTransactions,
  pendingTransaction,
  readPendingTransactions,
} from './pending-transactions.ts';
import { makeRoom, makeRoomInQueue, requireRoom } from './pool-room.ts';

const MILLISECONDS = 1_000;

/** A pending transaction that the rules do not allow any more. */
export interface DroppedTransaction {
  readonly transaction: SignedTransaction;
  readonly error: RefusedError;
}

/** One that stops pending for the sake of another one. */
interface Gone {
  readonly pending: PendingTransaction;
  readonly code: 'replaced' | 'displaced';
}

/** Gas that a new transaction used, or where it waits to be executed: behind others, or for lower nonces. */
type FirstStep = bigint | 'behind' | 'queued';

/** Applies a transaction to the pool's state for the next block; returns the gas it used. Throws `RefusedError`. */
type ApplyPending = (state: WorkingState, transaction: SignedTransaction) => bigint;

/** The part of a store that keeps pending transactions. */
export type PendingStore = Pick<Store, 'pendingTransactions' | 'addPending' | 'removePending'>;

/**
 * The pending transactions in the order of arrival, each stored while it is pending. Each is checked and executed on
 * arrival, on the state after the executed ones. After a new head that is repeated within the available time; the rest
 * stays pending and is checked by its block.
 */
export class PendingPool {
  readonly #store: PendingStore;
  readonly #makeState: () => WorkingState;
  readonly #apply: ApplyPending;
  readonly #time: Stopwatch;
  readonly #pending = new PendingTransactions();
  readonly #walk = new ExecutionWalk(this.#pending);
  /** Mark set when an executed one made way, until all others are executed again or there is a new head. */
  #isCrowded = false;
  /** True if queued transactions may have become executable or obsolete since the last check. */
  #isQueueStale = false;
  /** Sequences of dropped transactions: they leave the store with the next block. */
  readonly #dropped: number[] = [];
  /** Dropped transactions that `takeDropped` has not returned yet. */
  readonly #unreported: DroppedTransaction[] = [];
  /** True if the state is not based on the head any more, or was left incomplete. */
  #isStale = false;
  /** True if the engine has failed since the last head. */
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
    return this.#pending.size;
  }

  /** The state after the executed pending transactions. */
  get state(): WorkingState {
    this.#made ??= this.#makeState();
    if (this.#isStale) this.#made.clear();
    this.#isStale = false;
    return this.#made;
  }

  /** In the order in which they wait; without those that wait for lower nonces. */
  transactions(): SignedTransaction[] {
    return this.#pending.ready().map(({ transaction }) => transaction);
  }

  /** Those that wait for lower nonces of their senders. */
  queued(): SignedTransaction[] {
    return this.#pending.queued().map(({ transaction }) => transaction);
  }

  /** Returns true if a pending transaction has this sender and nonce. */
  isTaken(senderNonce: SenderNonce): boolean {
    return this.#pending.at(senderNonce) !== undefined;
  }

  /** The first nonce from one on that no pending transaction of a sender has. */
  nextNonce(senderNonce: SenderNonce): bigint {
    return this.#pending.nextNonce(senderNonce);
  }

  has(transaction: SignedTransaction): boolean {
    return this.#pending.has(hexIdOf(transaction));
  }

  find(hash: OperationHash): PendingPosition | undefined {
    return this.#pending.find(hash);
  }

  /**
   * Checks, executes and stores a transaction. A full pool evicts others; an Ethereum transaction replaces one of its
   * sender and nonce with lower fees. Throws `RefusedError` and as the store; the pool is unchanged then.
   */
  add(transaction: SignedTransaction): void {
    if (this.has(transaction)) refuse({ code: 'alreadyPending' });
    const bytes = encode(signedTransactionCodec, transaction);
    const senderNonce = senderNonceOf(transaction);
    const isReplacement = senderNonce !== undefined && this.isTaken(senderNonce);
    if (!isReplacement) requireRoom(this.#pending, holderOf(transaction), bytes.length);
    this.#catchUpUnlessCrowded();
    const rival = senderNonce && this.#pending.at(senderNonce);
    const gone: Gone[] = [];
    try {
      if (rival !== undefined) this.#makeWay(rival, transaction, gone);
      const step =
        senderNonce === undefined
          ? this.#execute(transaction)
          : this.#executeOrQueue(senderNonce, transaction, gone);
      this.#displace(makeRoom(this.#pending, bytes.length), gone);
      this.#keepNew(transaction, bytes, step, gone);
    } catch (error) {
      for (const { pending: one } of gone) this.#pending.keep(one);
      if (gone.length > 0 || !(error instanceof RefusedError)) this.#startOver();
      throw error;
    }
    for (const { pending: one, code } of gone) this.#report(one, new RefusedError({ code }));
    if (senderNonce !== undefined) this.#catchUpUnlessCrowded();
  }

  /** Takes one out of the way that is to be replaced; what waited behind it is executed without it. */
  #makeWay(rival: PendingTransaction, by: SignedTransaction, gone: Gone[]): void {
    const [old, replacement] = [envelopeIn(rival.transaction), envelopeIn(by)];
    if (old !== undefined && replacement !== undefined) requireHigherFees(old, replacement);
    const wasQueued = this.#pending.queue.has(rival.id);
    this.#pending.remove(rival.id);
    gone.push({ pending: rival, code: 'replaced' });
    if (wasQueued) return;
    this.#startOver();
    this.#catchUpUnlessCrowded();
  }

  /**
   * Removes evicted transactions. If one of them was executed, the state is cleared. Executing all others again on each
   * arrival would be quadratic, so that is left to `catchUp`.
   */
  #displace(displaced: readonly PendingTransaction[], gone: Gone[]): void {
    for (const one of displaced) gone.push({ pending: one, code: 'displaced' });
    if (!displaced.some(({ id }) => this.#walk.has(id))) return;
    this.#isCrowded = true;
    this.#startOver();
  }

  /**
   * Executes a transaction of Ethereum's; one that lacks lower nonces goes to the queue, or behind those that wait to
   * be executed.
   */
  #executeOrQueue(senderNonce: SenderNonce, transaction: SignedTransaction, gone: Gone[]): FirstStep {
    try {
      return this.#execute(transaction);
    } catch (error) {
      if (!isAhead(error)) throw error;
    }
    const carrier = envelopeIn(transaction);
    if (carrier !== undefined) checkAffordable(this.state, carrier);
    const { sender } = senderNonce;
    const nonce = this.#nonceOf(sender);
    if (this.#pending.nextNonce({ sender, nonce }) === senderNonce.nonce) return 'behind';
    for (const one of makeRoomInQueue(this.#pending, sender)) gone.push({ pending: one, code: 'displaced' });
    return 'queued';
  }

  /** The nonce of the next transaction of a sender, after those that are executed. */
  #nonceOf(sender: Address): bigint {
    return this.state.engine.accountState(sender)?.nonce ?? 0n;
  }

  /** Has those of the queue executed that nothing is missing to any more, and drops what waited too long. */
  #lookThroughQueue(): void {
    const { queue } = this.#pending;
    this.#isQueueStale = false;
    for (const { id } of queue.olderThan(this.#time.now() - QUEUED_SECONDS_MAX * MILLISECONDS)) {
      this.#drop(id, new RefusedError({ code: 'queuedTooLong', seconds: QUEUED_SECONDS_MAX }));
    }
    for (const { id, senderNonce } of queue.firstOfEach()) {
      const found = this.#pending.get(id);
      if (found === undefined || senderNonce.nonce > this.#nonceOf(senderNonce.sender)) continue;
      this.#pending.leaveQueue(found);
    }
  }

  /**
   * Takes in what waited when the store was closed, and executes it until a moment has come.
   * A transaction that the rules do not allow any more leaves the store.
   *
   * @throws ChainDamagedError for a record that cannot be read
   */
  restore(until: number): void {
    for (const read of readPendingTransactions(this.#store.pendingTransactions())) this.#pending.keep(read);
    this.#startOver();
    this.catchUp(until);
    if (this.#dropped.length > 0) this.#store.removePending(this.#dropped.splice(0));
  }

  /** Replaces all transactions by those of the store, without executing them. Missing ones count as dropped. */
  replaceAll(now: readonly PendingTransaction[]): void {
    const before = this.#pending.all();
    for (const { id } of before) this.#pending.remove(id);
    this.#dropped.length = 0;
    for (const read of now) this.#pending.keep(read);
    this.#startOver();
    for (const gone of before) {
      if (!this.#pending.has(gone.id)) this.#report(gone, new RefusedError({ code: 'chainReverted' }));
    }
  }

  /**
   * Executes further transactions on the state until a moment has come. Drops those that became invalid.
   *
   * @returns true if there are more
   */
  catchUp(until: number): boolean {
    for (;;) {
      if (!this.#walk.isBehind && this.#isQueueStale) this.#lookThroughQueue();
      if (!this.#walk.isBehind) {
        this.#isCrowded = false;
        return false;
      }
      if (this.#time.now() >= until) return true;
      this.#executeAgain(this.#walk.next());
    }
  }

  /**
   * Drops selected transactions, from the store as well; the later ones are executed again within the available time.
   *
   * @returns the number of dropped transactions
   * @throws as the store; nothing is dropped then
   */
  drop(isChosen: (transaction: SignedTransaction) => boolean): number {
    const chosen = this.#pending.all().filter(({ transaction }) => isChosen(transaction));
    if (chosen.length === 0) return 0;
    this.#store.removePending(chosen.map(({ sequence }) => sequence));
    for (const gone of chosen) {
      this.#pending.remove(gone.id);
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
    const sequences = ids.flatMap((id) => this.#pending.get(id)?.sequence ?? []);
    return [...this.#dropped, ...sequences];
  }

  /**
   * Continues from a new head, whose block removed the transactions with these ids from the store: they leave the pool,
   * and the others are executed again until a moment has come.
   */
  rebase(ids: readonly string[], until: number): void {
    for (const id of ids) this.#pending.remove(id);
    this.#dropped.length = 0;
    this.reload();
    this.catchUp(until);
  }

  /** Continues from another head, without executing anything yet. */
  reload(): void {
    this.#hasEngineFailed = false;
    this.#isCrowded = false;
    this.#startOver();
  }

  /** From here on the state is the head's, and nothing is executed on it. */
  #startOver(): void {
    this.#isStale = true;
    this.#walk.startOver();
    this.#isQueueStale = this.#pending.queue.size > 0;
  }

  #executeAgain(found: PendingTransaction): void {
    const { id, senderNonce, transaction } = found;
    try {
      this.#pending.noteGas(found, this.#execute(transaction));
      this.#walk.add(id);
      if (senderNonce !== undefined && this.#pending.queue.size > 0) this.#isQueueStale = true;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      if (senderNonce !== undefined && isAhead(error)) {
        this.#pending.queue.add({ id, senderNonce, since: this.#time.now() });
      } else this.#drop(id, error);
    }
  }

  /** Drops a transaction: it leaves the store with the next block. Transactions queued behind it stay. */
  #drop(id: string, error: RefusedError): void {
    const dropped = this.#pending.remove(id);
    if (dropped === undefined) return;
    this.#dropped.push(dropped.sequence);
    this.#report(dropped, error);
  }

  #report({ transaction }: PendingTransaction, error: RefusedError): void {
    this.#unreported.push({ transaction, error });
  }

  #catchUpUnlessCrowded(): void {
    if (!this.#isCrowded) this.#catchUpAWhile();
  }

  #catchUpAWhile(): void {
    this.catchUp(this.#time.now() + WRITE_SLICE_MS);
  }

  /** Applies a transaction on top of the executed ones; returns its gas used. */
  #execute(transaction: SignedTransaction): bigint {
    return complete(
      applyRebuilding(
        () => inOneStep(() => this.#applyNext(transaction)),
        () => inOneStep(() => this.#rebuild()),
      ),
    );
  }

  /**
   * Clears the state for a transaction for which the engine had no room. The others follow, only once for each head,
   * since it may happen again.
   */
  #rebuild(): void {
    this.#isStale = true;
    if (!this.#hasEngineFailed) this.#startOver();
    this.#hasEngineFailed = true;
  }

  /** Writes a transaction to the store, from which others leave, and keeps it. */
  #keepNew(transaction: SignedTransaction, bytes: Uint8Array, step: FirstStep, gone: readonly Gone[]): void {
    const leaving = gone.map(({ pending: { sequence } }) => sequence);
    const sequence = this.#store.addPending(bytes, leaving);
    const kept = {
      ...pendingTransaction({ sequence, bytes }, transaction),
      gasUsed: typeof step === 'bigint' ? step : 0n,
    };
    const { id, senderNonce } = kept;
    this.#pending.keep(kept);
    const { queue } = this.#pending;
    if (queue.size > 0) this.#isQueueStale = true;
    if (step === 'queued' && senderNonce !== undefined)
      queue.add({ id, senderNonce, since: this.#time.now() });
    // If the state was cleared meanwhile, it does not contain the transaction.
    if (typeof step === 'bigint' && !this.#isStale) this.#walk.add(id);
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

/** Returns true for an error that only says that lower nonces of the sender are missing. */
function isAhead(error: unknown): boolean {
  return error instanceof RefusedError && error.reason.code === 'nonceTooHigh';
}
