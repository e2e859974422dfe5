import { QUEUED_SECONDS_MAX, WRITE_SLICE_MS } from '../../limits.ts';
import type { Address, OperationHash, SignedTransaction } from '../../protocol/index.ts';
import { hexIdOf, signedBytes } from '../../protocol/index.ts';
import type { PendingRecord, SidecarRecord } from '../../store/index.ts';
import type { Stopwatch } from '../../time.ts';
import type { BlockInputs } from '../chain/block-inputs.ts';
import { RefusedError, refuse } from '../errors/refusal.ts';
import { checkAffordable, requireHigherFees } from '../operations/ethereum-transaction.ts';
import type { WorkingState } from '../state/working-state.ts';
import { requireDelegationLimits } from './delegation-limits.ts';
import { envelopeIn, type SenderNonce, senderNonceOf } from './ethereum-envelope.ts';
import type { ExecutedPool, ExecutedTransaction } from './executed-transactions.ts';
import {
  type Addition,
  canPay,
  type FirstStep,
  isEarly,
  type PendingRules,
  type PendingStore,
  type RemovedTransaction,
  refuseBlobGap,
} from './pending-rules.ts';
import {
  type PendingPosition,
  type PendingTransaction,
  PendingTransactions,
  pendingTransaction,
  readPendingTransactions,
} from './pending-transactions.ts';
import { evictFor, evictFromQueue, requireCapacity } from './pool-limits.ts';
import { PoolState, unlessMissing } from './pool-state.ts';
import { orderedByTip } from './prices.ts';

/** A pending transaction that became invalid. */
export interface DroppedTransaction {
  readonly transaction: SignedTransaction;
  readonly error: RefusedError;
}

/**
 * The pending transactions in the order of arrival, each stored while it is pending. Each is checked and executed on
 * arrival, on the state after the executed ones. After a new head that is repeated within the available time; the rest
 * stays pending and is checked by its block.
 */
export class PendingPool {
  readonly #store: PendingStore;
  readonly #rules: PendingRules;
  readonly #time: Stopwatch;
  readonly #pending = new PendingTransactions();
  readonly #state: PoolState;
  /** True after the eviction of an executed transaction, until all others are executed again or there is a new head. */
  #isCrowded = false;
  /** True if queued transactions may have become executable or obsolete since the last check. */
  #isQueueStale = false;
  /** Sequences of dropped transactions: they leave the store with the next block. */
  readonly #dropped: number[] = [];
  /** Dropped transactions that `takeDropped` has not returned yet. */
  #unreported: DroppedTransaction[] = [];
  /** Additions of `together` that are not stored yet; undefined outside of it. */
  #additions: Addition[] | undefined;
  /** @param makeState makes a separate state, equal to that of the store */
  constructor(store: PendingStore, makeState: () => WorkingState, rules: PendingRules, time: Stopwatch) {
    this.#time = time;
    this.#store = store;
    this.#rules = rules;
    this.#state = new PoolState(makeState, rules.apply, this.#pending, () => {
      this.#isQueueStale = this.#pending.queue.size > 0;
    });
  }

  get size(): number {
    return this.#pending.size;
  }

  /** The state after the executed pending transactions. */
  get state(): WorkingState {
    return this.#state.current;
  }

  /** Lists pending transactions in order, without queued ones. */
  transactions(): SignedTransaction[] {
    return this.#pending.ready().map(({ transaction }) => transaction);
  }

  /** Lists pending transactions in the order of a block by price, without queued ones. */
  byPrice(): SignedTransaction[] {
    const tipOf = this.#rules.tips();
    return tipOf === undefined ? this.transactions() : orderedByTip(this.transactions(), tipOf);
  }

  /** Lists transactions that are queued behind a nonce gap of their senders, or below the base fee. */
  queued(): SignedTransaction[] {
    return this.#pending.queued().map(({ transaction }) => transaction);
  }

  /** See {@link PoolState.executedFor}. */
  executedFor(inputs: BlockInputs, transactions: readonly SignedTransaction[]): ExecutedPool | undefined {
    return this.#state.executedFor(inputs, transactions);
  }

  /** Returns true if a pending transaction has this sender and nonce. */
  isTaken(senderNonce: SenderNonce): boolean {
    return this.#pending.at(senderNonce) !== undefined;
  }

  /** Returns the first nonce, from a given one on, that no pending transaction of a sender has. */
  nextNonce(senderNonce: SenderNonce): bigint {
    return this.#pending.nextNonce(senderNonce);
  }

  has(transaction: SignedTransaction): boolean {
    return this.size > 0 && this.#pending.has(hexIdOf(transaction));
  }

  find(hash: OperationHash): PendingPosition | undefined {
    return this.#pending.find(hash);
  }

  /**
   * Checks, executes and stores a transaction. A full pool evicts others; an Ethereum transaction replaces one of its
   * sender and nonce with lower fees. Throws `RefusedError` and as the store; the pool is unchanged then.
   * @param mayQueue false to refuse one that the next block cannot include
   */
  add(transaction: SignedTransaction, sidecar?: SidecarRecord, mayQueue = true): void {
    if (this.has(transaction)) refuse({ code: 'alreadyPending' });
    const bytes = signedBytes(transaction);
    const size = bytes.length + (sidecar?.bytes.length ?? 0);
    const [senderNonce, tipOf] = [senderNonceOf(transaction), this.#rules.tips()];
    const isReplacement = senderNonce !== undefined && this.isTaken(senderNonce);
    if (!isReplacement) requireCapacity(this.#pending, transaction, size, tipOf);
    this.#catchUpUnlessCrowded();
    requireDelegationLimits(this.#pending, this.state, envelopeIn(transaction));
    const rival = senderNonce && this.#pending.at(senderNonce);
    const removed: RemovedTransaction[] = [];
    try {
      if (rival !== undefined) this.#removeReplaced(rival, transaction, removed);
      const step =
        senderNonce === undefined
          ? this.#state.execute(transaction)
          : this.#executeOrQueue(senderNonce, transaction, mayQueue, removed);
      this.#evict(evictFor(this.#pending, size, tipOf), removed);
      this.#addStored(transaction, { bytes, sidecar }, step, removed);
    } catch (error) {
      for (const { pending: one } of removed) this.#pending.keep(one);
      if (removed.length > 0 || !(error instanceof RefusedError)) this.#state.startOver();
      throw error;
    }
    for (const { pending: one, code } of removed) this.#report(one, new RefusedError({ code }));
    if (senderNonce !== undefined) unlessMissing(() => this.#catchUpUnlessCrowded());
  }

  /**
   * Stores the transactions that an action adds in one commit. If that fails, they leave the pool, and those that they
   * replaced or evicted are in it again.
   *
   * @param onStored called after the commit
   * @param onLosing see `Store.together`
   * @throws as the action and the store
   */
  together<T>(action: () => T, onStored: () => void, onLosing: (last: number) => void): T {
    if (this.#additions !== undefined) return action();
    this.#additions = [];
    try {
      const noteStored = (): void => {
        this.#additions = [];
        onStored();
      };
      return this.#store.together(action, noteStored, onLosing);
    } finally {
      this.#forgetUnstored(this.#additions);
      this.#additions = undefined;
    }
  }

  #forgetUnstored(additions: readonly Addition[]): void {
    if (additions.length === 0) return;
    for (const { id, removed } of additions.toReversed()) {
      this.#pending.remove(id);
      for (const { pending } of removed) this.#pending.keep(pending);
    }
    this.#unreported = this.#unreported.filter(({ transaction }) => !this.has(transaction));
    this.#state.startOver();
  }

  /** Removes the transaction to replace; later ones are executed again without it. */
  #removeReplaced(rival: PendingTransaction, by: SignedTransaction, removed: RemovedTransaction[]): void {
    const [old, replacement] = [envelopeIn(rival.transaction), envelopeIn(by)];
    if (old !== undefined && replacement !== undefined) requireHigherFees(old, replacement);
    const wasQueued = this.#pending.queue.has(rival.id);
    this.#pending.remove(rival.id);
    removed.push({ pending: rival, code: 'replaced' });
    if (wasQueued) return;
    this.#state.startOver();
    this.#catchUpUnlessCrowded();
  }

  /**
   * Removes evicted transactions. If one of them was executed, the state is cleared. Executing all others again on each
   * arrival would be quadratic, so that is left to `catchUp`.
   */
  #evict(displaced: readonly PendingTransaction[], removed: RemovedTransaction[]): void {
    for (const one of displaced) removed.push({ pending: one, code: 'displaced' });
    if (!displaced.some(({ id }) => this.#state.has(id))) return;
    this.#isCrowded = true;
    this.#state.startOver();
  }

  /**
   * Executes an Ethereum transaction; one that lacks lower nonces or the base fee is queued, or stays pending behind
   * those not yet executed.
   */
  #executeOrQueue(
    senderNonce: SenderNonce,
    transaction: SignedTransaction,
    mayQueue: boolean,
    removed: RemovedTransaction[],
  ): FirstStep {
    try {
      return this.#state.execute(transaction);
    } catch (error) {
      if (!mayQueue || !isEarly(error)) throw error;
    }
    const envelope = envelopeIn(transaction);
    if (envelope !== undefined) checkAffordable(this.state, envelope);
    const { sender } = senderNonce;
    const nonce = this.#nonceOf(sender);
    const isNext = this.#pending.nextNonce({ sender, nonce }) === senderNonce.nonce;
    if (isNext && canPay(transaction, this.#rules)) return 'behind';
    if (!isNext) refuseBlobGap(transaction, senderNonce, nonce);
    for (const one of evictFromQueue(this.#pending, sender))
      removed.push({ pending: one, code: 'displaced' });
    return 'queued';
  }

  /** Returns the nonce of the next transaction of a sender, after the executed ones. */
  #nonceOf(sender: Address): bigint {
    return this.state.engine.accountState(sender)?.nonce ?? 0n;
  }

  /** Promotes queued transactions without a nonce gap that can pay the base fee; drops those queued for too long. */
  #promoteQueued(): void {
    const { queue } = this.#pending;
    this.#isQueueStale = false;
    for (const { id } of queue.olderThan(this.#time.now() - QUEUED_SECONDS_MAX * 1_000)) {
      this.#drop(id, new RefusedError({ code: 'queuedTooLong', seconds: QUEUED_SECONDS_MAX }));
    }
    for (const { id, senderNonce } of queue.firstOfEach()) {
      const found = this.#pending.get(id);
      if (found === undefined || senderNonce.nonce > this.#nonceOf(senderNonce.sender)) continue;
      if (!canPay(found.transaction, this.#rules)) continue;
      this.#pending.promote(found);
    }
  }

  /**
   * Reads the stored pending transactions and executes them until a moment has come. Invalid ones leave the store.
   * @throws ChainDamagedError for a record that cannot be read
   */
  restore(until: number): void {
    const stored = readPendingTransactions(this.#store.pendingTransactions(), this.#store.sidecars());
    for (const read of stored) this.#pending.keep(read);
    this.#state.startOver();
    unlessMissing(() => this.catchUp(until));
    if (this.#dropped.length > 0) this.#store.removePending(this.#dropped.splice(0));
  }

  /** Replaces all transactions by those of the store, without executing them. Missing ones count as dropped. */
  replaceAll(now: readonly PendingTransaction[]): void {
    const before = this.#pending.all();
    for (const { id } of before) this.#pending.remove(id);
    this.#dropped.length = 0;
    for (const read of now) this.#pending.keep(read);
    this.#state.startOver();
    for (const removed of before) {
      if (!this.#pending.has(removed.id)) this.#report(removed, new RefusedError({ code: 'chainReverted' }));
    }
  }

  /**
   * Executes further transactions on the state until a moment has come. Drops those that became invalid.
   * @returns true if there are more
   */
  catchUp(until: number): boolean {
    for (;;) {
      if (!this.#state.isBehind && this.#isQueueStale) this.#promoteQueued();
      if (!this.#state.isBehind) {
        this.#isCrowded = false;
        return false;
      }
      if (this.#time.now() >= until) return true;
      this.#executeAgain(this.#state.next());
    }
  }

  /**
   * Drops selected transactions, from the store as well; the later ones are executed again within the available time.
   * @returns the number of dropped transactions
   * @throws as the store; nothing is dropped then
   */
  drop(isChosen: (transaction: SignedTransaction) => boolean): number {
    const chosen = this.#pending.all().filter(({ transaction }) => isChosen(transaction));
    if (chosen.length === 0) return 0;
    this.#store.removePending(chosen.map(({ sequence }) => sequence));
    for (const removed of chosen) {
      this.#pending.remove(removed.id);
      this.#report(removed, new RefusedError({ code: 'droppedOnDemand' }));
    }
    this.#state.startOver();
    unlessMissing(() => this.catchUp(this.#time.now() + WRITE_SLICE_MS));
    return chosen.length;
  }

  /** Returns the transactions that were dropped since the last call. */
  takeDropped(): DroppedTransaction[] {
    return this.#unreported.splice(0);
  }

  /** Lists the sequences that leave the store with a block that removes these transactions from the pool. */
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
    unlessMissing(() => this.catchUp(until));
  }

  /** Continues from another head, without executing anything yet. */
  reload(): void {
    this.#isCrowded = false;
    this.#state.reload();
  }

  #executeAgain(found: PendingTransaction): void {
    const { id, senderNonce, transaction } = found;
    try {
      const executed = this.#state.execute(transaction);
      this.#pending.recordGas(found, gasOf(executed));
      this.#state.note(id, transaction, executed);
      if (senderNonce !== undefined && this.#pending.queue.size > 0) this.#isQueueStale = true;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      if (senderNonce !== undefined && isEarly(error)) {
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
    if (!this.#isCrowded) this.catchUp(this.#time.now() + WRITE_SLICE_MS);
  }

  /** Stores a new transaction, removes the replaced and evicted ones from the store, and adds it to the pool. */
  #addStored(
    transaction: SignedTransaction,
    { bytes, sidecar }: Pick<PendingRecord, 'bytes'> & { readonly sidecar: SidecarRecord | undefined },
    step: FirstStep,
    removed: readonly RemovedTransaction[],
  ): void {
    const leaving = removed.map(({ pending }) => pending.sequence);
    const sequence = this.#store.addPending(bytes, leaving, sidecar);
    const entry = {
      ...pendingTransaction({ sequence, bytes }, transaction, sidecar?.bytes.length),
      gasUsed: typeof step === 'string' ? 0n : gasOf(step),
    };
    const { id, senderNonce } = entry;
    this.#additions?.push({ id, removed });
    this.#pending.keep(entry);
    const { queue } = this.#pending;
    if (queue.size > 0) this.#isQueueStale = true;
    if (step === 'queued' && senderNonce !== undefined)
      queue.add({ id, senderNonce, since: this.#time.now() });
    if (typeof step !== 'string') this.#state.note(id, transaction, step);
  }
}

/** Returns the gas that a transaction used. */
function gasOf({ applied }: ExecutedTransaction): bigint {
  return applied.outcomes.reduce((sum, { gasUsed }) => sum + gasUsed, 0n);
}
