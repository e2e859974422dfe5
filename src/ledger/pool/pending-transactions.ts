import { type Address, type SignedTransaction, signedBytes } from '../../protocol/index.ts';
import type { PendingRecord, SidecarRecord } from '../../store/index.ts';
import { WRITE_SLICE_MS } from '../../time/job.ts';
import { nextPrices } from '../blocks/block-assembly.ts';
import { blobBaseFeeOf } from '../chain/block-fees.ts';
import type { DroppedTransaction, LedgerCore, PendingPool } from '../core.ts';
import { isEarly, RefusedError, refuse } from '../errors/refusal.ts';
import {
  blobFeeCapOf,
  checkAffordable,
  feeCapOf,
  requireHigherFees,
} from '../operations/ethereum-transaction.ts';
import {
  blobsIn,
  ethereumOperationIn,
  type SenderNonce,
  senderNonceOf,
} from '../transactions/native-transaction.ts';
import { type ExecutedTransaction, gasOf, PendingState, unlessMissing } from './pending-state.ts';
import {
  type PendingTransaction,
  PoolIndex,
  pendingTransaction,
  readPendingTransactions,
} from './pool-index.ts';
import { evictFor, evictFromQueue, requireCapacity, requireDelegationLimits } from './pool-limits.ts';
import { orderedByTip, type TipOf, tipsAt } from './prices.ts';

/** Seconds for which an Ethereum transaction is queued for lower nonces. */
const QUEUED_SECONDS_MAX = 3 * 60 * 60;
/** Milliseconds of executing pending transactions before a starting node listens; the rest follows later. */
export const PENDING_RESTORE_MS_MAX = 250;

/** State that the parts of an open ledger share, with the whole pool. */
export interface PoolCore extends LedgerCore {
  readonly pool: PendingTransactions;
}

/** A new transaction as it was executed, or the reason that it was not: pending ones precede it, or a nonce gap. */
type FirstStep = ExecutedTransaction | 'behind' | 'queued';

/** A transaction that left the pool for a new one. */
interface RemovedTransaction {
  readonly pending: PendingTransaction;
  readonly code: 'replaced' | 'displaced';
}

/** A transaction that was added, and those that it replaced or evicted. */
interface Addition {
  readonly id: string;
  readonly removed: readonly RemovedTransaction[];
}

/**
 * The pending transactions in the order of arrival, each stored while it is pending. Each is checked and executed on
 * arrival, on the state after the executed ones. After a new head that is repeated within the available time; the rest
 * stays pending and is checked by its block.
 */
export class PendingTransactions implements PendingPool {
  readonly index = new PoolIndex();
  readonly state: PendingState;
  readonly #core: Omit<LedgerCore, 'pool'>;
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

  constructor(core: Omit<LedgerCore, 'pool'>) {
    this.#core = core;
    this.state = new PendingState(core, this.index, () => {
      this.#isQueueStale = this.index.queue.size > 0;
    });
  }

  ready(): SignedTransaction[] {
    return this.index.ready().map(({ transaction }) => transaction);
  }

  inBlockOrder(): SignedTransaction[] {
    const tipOf = this.#core.prices.order === 'fees' ? this.#tips() : undefined;
    return tipOf === undefined ? this.ready() : orderedByTip(this.ready(), tipOf);
  }

  /** Lists transactions that are queued behind a nonce gap of their senders, or below the base fee. */
  queued(): SignedTransaction[] {
    return this.index.queued().map(({ transaction }) => transaction);
  }

  /**
   * Checks, executes and stores a transaction. A full pool evicts others; an Ethereum transaction replaces one of its
   * sender and nonce with lower fees. Throws `RefusedError` and as the store; the pool is unchanged then.
   * @param mayQueue false to refuse one that the next block cannot include
   */
  add(transaction: SignedTransaction, sidecar?: SidecarRecord, mayQueue = true): void {
    if (this.index.has(transaction)) refuse({ code: 'alreadyPending' });
    const bytes = signedBytes(transaction);
    const size = bytes.length + (sidecar?.bytes.length ?? 0);
    const senderNonce = senderNonceOf(transaction);
    const tipOf = this.#tips();
    const isReplacement = senderNonce !== undefined && this.index.at(senderNonce) !== undefined;
    if (!isReplacement) requireCapacity(this.index, transaction, size, tipOf);
    this.#catchUpUnlessCrowded();
    requireDelegationLimits(this.index, this.state.current, ethereumOperationIn(transaction));
    const rival = senderNonce && this.index.at(senderNonce);
    const removed: RemovedTransaction[] = [];
    try {
      if (rival !== undefined) this.#removeReplaced(rival, transaction, removed);
      const step =
        senderNonce === undefined
          ? this.state.execute(transaction)
          : this.#executeOrQueue(senderNonce, transaction, mayQueue, removed);
      this.#evict(evictFor(this.index, size, tipOf), removed);
      this.#addStored(transaction, { bytes, sidecar }, step, removed);
    } catch (error) {
      for (const { pending: one } of removed) this.index.keep(one);
      if (removed.length > 0 || !(error instanceof RefusedError)) this.state.startOver();
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
    this.#additions = [];
    try {
      const noteStored = (): void => {
        this.#additions = [];
        onStored();
      };
      return this.#core.store.together(action, noteStored, onLosing);
    } finally {
      this.#forgetUnstored(this.#additions);
      this.#additions = undefined;
    }
  }

  #forgetUnstored(additions: readonly Addition[]): void {
    if (additions.length === 0) return;
    for (const { id, removed } of additions.toReversed()) {
      this.index.remove(id);
      for (const { pending } of removed) this.index.keep(pending);
    }
    this.#unreported = this.#unreported.filter(({ transaction }) => !this.index.has(transaction));
    this.state.startOver();
  }

  /** Removes the transaction to replace; later ones are executed again without it. */
  #removeReplaced(rival: PendingTransaction, by: SignedTransaction, removed: RemovedTransaction[]): void {
    const old = ethereumOperationIn(rival.transaction);
    const replacement = ethereumOperationIn(by);
    if (old !== undefined && replacement !== undefined) requireHigherFees(old, replacement);
    const wasQueued = this.index.queue.has(rival.id);
    this.index.remove(rival.id);
    removed.push({ pending: rival, code: 'replaced' });
    if (wasQueued) return;
    this.state.startOver();
    this.#catchUpUnlessCrowded();
  }

  /**
   * Removes evicted transactions. If one of them was executed, the state is cleared. Executing all others again on each
   * arrival would be quadratic, so that is left to `catchUp`.
   */
  #evict(displaced: readonly PendingTransaction[], removed: RemovedTransaction[]): void {
    for (const one of displaced) removed.push({ pending: one, code: 'displaced' });
    if (!displaced.some(({ id }) => this.state.has(id))) return;
    this.#isCrowded = true;
    this.state.startOver();
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
      return this.state.execute(transaction);
    } catch (error) {
      if (!mayQueue || !isEarly(error)) throw error;
    }
    const ethereumOperation = ethereumOperationIn(transaction);
    if (ethereumOperation !== undefined) checkAffordable(this.state.current, ethereumOperation);
    const { sender, nonce } = senderNonce;
    const expected = this.#nonceOf(sender);
    const isNext = this.index.nextNonce({ sender, nonce: expected }) === nonce;
    if (isNext && this.#canPay(transaction)) return 'behind';
    // As in geth's pool.
    if (!isNext && blobsIn(transaction) > 0) refuse({ code: 'nonceTooHigh', sender, nonce, expected });
    for (const one of evictFromQueue(this.index, sender)) removed.push({ pending: one, code: 'displaced' });
    return 'queued';
  }

  /** Returns the nonce of the next transaction of a sender, after the executed ones. */
  #nonceOf(sender: Address): bigint {
    return this.state.current.engine.accountState(sender)?.nonce ?? 0n;
  }

  /** Returns the tips in the next block; undefined on a chain without Ethereum, where all pay the same. */
  #tips(): TipOf | undefined {
    const { chain, origin } = this.#core;
    const { hasStandardAddresses, weiPerUnit } = origin.rules;
    return hasStandardAddresses ? tipsAt(nextPrices(chain, origin).baseFee, weiPerUnit) : undefined;
  }

  /** Returns true if the fee caps of an Ethereum transaction reach the base fees of the next block. */
  #canPay(transaction: SignedTransaction): boolean {
    const { chain, origin } = this.#core;
    const ethereumOperation = ethereumOperationIn(transaction);
    if (ethereumOperation === undefined) return true;
    const { baseFee, excessBlobGas } = nextPrices(chain, origin);
    const blobFeeCap = blobFeeCapOf(ethereumOperation.innerTransaction);
    if (blobFeeCap !== undefined && blobFeeCap < blobBaseFeeOf(excessBlobGas, origin.rules.blobs))
      return false;
    return feeCapOf(ethereumOperation.innerTransaction) >= baseFee;
  }

  /** Promotes queued transactions without a nonce gap that can pay the base fee; drops those queued for too long. */
  #promoteQueued(): void {
    const { queue } = this.index;
    this.#isQueueStale = false;
    for (const { id } of queue.olderThan(this.#core.time.now() - QUEUED_SECONDS_MAX * 1_000)) {
      this.#drop(id, new RefusedError({ code: 'queuedTooLong', seconds: QUEUED_SECONDS_MAX }));
    }
    for (const { id, senderNonce } of queue.firstOfEach()) {
      const found = this.index.get(id);
      if (found === undefined || senderNonce.nonce > this.#nonceOf(senderNonce.sender)) continue;
      if (this.#canPay(found.transaction)) this.index.promote(found);
    }
  }

  /**
   * Reads the stored pending transactions and executes them until a moment has come. Invalid ones leave the store.
   * @throws ChainDamagedError for a record that cannot be read
   */
  restore(until: number): void {
    const { store } = this.#core;
    for (const read of readPendingTransactions(store)) this.index.keep(read);
    this.state.startOver();
    unlessMissing(() => this.catchUp(until));
    if (this.#dropped.length > 0) store.removePending(this.#dropped.splice(0));
  }

  /** Replaces all transactions by those of the store, without executing them. Missing ones count as dropped. */
  replaceAll(now: readonly PendingTransaction[]): void {
    const before = this.index.all();
    for (const { id } of before) this.index.remove(id);
    this.#dropped.length = 0;
    for (const read of now) this.index.keep(read);
    this.state.startOver();
    for (const removed of before) {
      if (this.index.get(removed.id) !== undefined) continue;
      this.#report(removed, new RefusedError({ code: 'chainReverted' }));
    }
  }

  /**
   * Executes further transactions on the state until a moment has come. Drops those that became invalid.
   * @returns true if there are more
   */
  catchUp(until: number): boolean {
    for (;;) {
      if (!this.state.isBehind && this.#isQueueStale) this.#promoteQueued();
      if (!this.state.isBehind) {
        this.#isCrowded = false;
        return false;
      }
      if (this.#core.time.now() >= until) return true;
      this.#executeAgain(this.state.next());
    }
  }

  /**
   * Drops selected transactions, from the store as well; the later ones are executed again within the available time.
   * @returns the number of dropped transactions
   * @throws as the store; nothing is dropped then
   */
  drop(isChosen: (transaction: SignedTransaction) => boolean): number {
    const { store, time } = this.#core;
    const chosen = this.index.all().filter(({ transaction }) => isChosen(transaction));
    if (chosen.length === 0) return 0;
    store.removePending(chosen.map(({ sequence }) => sequence));
    for (const removed of chosen) {
      this.index.remove(removed.id);
      this.#report(removed, new RefusedError({ code: 'droppedOnDemand' }));
    }
    this.state.startOver();
    unlessMissing(() => this.catchUp(time.now() + WRITE_SLICE_MS));
    return chosen.length;
  }

  takeDropped(): DroppedTransaction[] {
    return this.#unreported.splice(0);
  }

  leaving(ids: readonly string[]): number[] {
    const sequences = ids.flatMap((id) => this.index.get(id)?.sequence ?? []);
    return [...this.#dropped, ...sequences];
  }

  rebase(ids: readonly string[], until: number): void {
    for (const id of ids) this.index.remove(id);
    this.#dropped.length = 0;
    this.reload();
    unlessMissing(() => this.catchUp(until));
  }

  /** Continues from another head, without executing anything yet. */
  reload(): void {
    this.#isCrowded = false;
    this.state.reload();
  }

  #executeAgain(found: PendingTransaction): void {
    const { id, senderNonce, transaction } = found;
    try {
      const executed = this.state.execute(transaction);
      this.index.recordGas(found, gasOf(executed));
      this.state.note(id, transaction, executed);
      if (senderNonce !== undefined && this.index.queue.size > 0) this.#isQueueStale = true;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      if (senderNonce !== undefined && isEarly(error)) {
        this.index.queue.add({ id, senderNonce, since: this.#core.time.now() });
      } else this.#drop(id, error);
    }
  }

  /** Drops a transaction: it leaves the store with the next block. Transactions queued behind it stay. */
  #drop(id: string, error: RefusedError): void {
    const dropped = this.index.remove(id);
    if (dropped === undefined) return;
    this.#dropped.push(dropped.sequence);
    this.#report(dropped, error);
  }

  #report({ transaction }: PendingTransaction, error: RefusedError): void {
    this.#unreported.push({ transaction, error });
  }

  #catchUpUnlessCrowded(): void {
    if (!this.#isCrowded) this.catchUp(this.#core.time.now() + WRITE_SLICE_MS);
  }

  /** Stores a new transaction, removes the replaced and evicted ones from the store, and adds it to the pool. */
  #addStored(
    transaction: SignedTransaction,
    { bytes, sidecar }: Pick<PendingRecord, 'bytes'> & { readonly sidecar: SidecarRecord | undefined },
    step: FirstStep,
    removed: readonly RemovedTransaction[],
  ): void {
    const { store, time } = this.#core;
    const leaving = removed.map(({ pending }) => pending.sequence);
    const sequence = store.addPending(bytes, leaving, sidecar);
    const entry = {
      ...pendingTransaction({ sequence, bytes }, transaction, sidecar?.bytes.length),
      gasUsed: typeof step === 'string' ? 0n : gasOf(step),
    };
    const { id, senderNonce } = entry;
    this.#additions?.push({ id, removed });
    this.index.keep(entry);
    const { queue } = this.index;
    if (queue.size > 0) this.#isQueueStale = true;
    if (step === 'queued' && senderNonce !== undefined) queue.add({ id, senderNonce, since: time.now() });
    if (typeof step !== 'string') this.state.note(id, transaction, step);
  }
}
