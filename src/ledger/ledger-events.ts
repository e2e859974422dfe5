import type { Hash, SignedTransaction } from '../protocol/index.ts';
import type { BlockWork } from './blocks/index.ts';
import type { ToldOperation } from './calls/index.ts';
import type { BlockSummary } from './chain/index.ts';
import { Listeners } from './listeners.ts';
import { LedgerQueries } from './queries/index.ts';
import type { AppliedTransaction, DroppedTransaction } from './transactions/index.ts';

/** A ledger that tells of what happens. */
export abstract class LedgerEvents extends LedgerQueries {
  protected readonly blockListeners = new Listeners<[block: BlockSummary, work: BlockWork]>();
  protected readonly acceptedListeners = new Listeners<[hashes: readonly Hash[]]>();
  protected readonly waitingListeners = new Listeners<[transaction: SignedTransaction]>();
  protected readonly patchedListeners = new Listeners<[]>();
  protected readonly droppedListeners = new Listeners<[dropped: DroppedTransaction]>();
  protected readonly revertingListeners = new Listeners<[last: number]>();

  /** Tells who listens to executions of those operations of a stored block of which there is something to tell. */
  protected tellExecutions(block: BlockSummary, transactions: readonly AppliedTransaction[]): void {
    const listener = this.parts.watch?.listener;
    if (listener?.included === undefined) return;
    const told: ToldOperation[] = [];
    let index = 0;
    for (const { outcomes } of transactions) {
      for (const { status, consoleCalls } of outcomes) {
        const isFailure = status === 'failure';
        if (isFailure || consoleCalls !== undefined) told.push({ index, isFailure, consoleCalls });
        index += 1;
      }
    }
    if (told.length > 0) listener.included(block, told);
  }

  /**
   * Subscribes to accepted transactions: the hashes of their operations in the pending form, also when a transaction
   * gets its block at once, and before that block is announced. Returns the function that unsubscribes.
   */
  onAccepted(listener: (hashes: readonly Hash[]) => void): () => void {
    return this.acceptedListeners.add(listener);
  }

  /**
   * Subscribes to accepted transactions that begin to wait for a block; each is in the store by then. Returns the
   * function that unsubscribes.
   */
  onWaiting(listener: (transaction: SignedTransaction) => void): () => void {
    return this.waitingListeners.add(listener);
  }

  /** Subscribes to stored blocks, with the work of adding each. Returns the function that unsubscribes. */
  onBlock(listener: (block: BlockSummary, work: BlockWork) => void): () => void {
    return this.blockListeners.add(listener);
  }

  /**
   * Subscribes to patches: the state after the head is another one then, and the blocks are the same. Returns the
   * function that unsubscribes.
   */
  onPatched(listener: () => void): () => void {
    return this.patchedListeners.add(listener);
  }

  /**
   * Subscribes to blocks that are about to vanish, told while they are still there: the number of the last one that
   * stays. Where that fails, they stay after all. Returns the function that unsubscribes.
   */
  onReverting(listener: (last: number) => void): () => void {
    return this.revertingListeners.add(listener);
  }

  /** Subscribes to pending transactions that are dropped, with the reason. */
  onDropped(listener: (dropped: DroppedTransaction) => void): () => void {
    return this.droppedListeners.add(listener);
  }
}
