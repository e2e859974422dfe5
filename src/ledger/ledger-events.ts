import type { Hash } from '../protocol/index.ts';
import type { BlockWork } from './blocks/index.ts';
import type { BlockSummary } from './chain/index.ts';
import { Listeners } from './listeners.ts';
import { LedgerQueries } from './queries/index.ts';
import type { DroppedTransaction } from './transactions/index.ts';

/** A ledger that tells of what happens. */
export abstract class LedgerEvents extends LedgerQueries {
  protected readonly blockListeners = new Listeners<[block: BlockSummary, work: BlockWork]>();
  protected readonly acceptedListeners = new Listeners<[hashes: readonly Hash[]]>();
  protected readonly droppedListeners = new Listeners<[dropped: DroppedTransaction]>();

  /**
   * Tells of every accepted transaction the hashes of its operations in the pending form, also when it gets its
   * block at once; before that block is told of. Returns the function that ends it.
   */
  onAccepted(listener: (hashes: readonly Hash[]) => void): () => void {
    return this.acceptedListeners.add(listener);
  }

  /** Tells of every block after it is stored, and what it took. Returns the function that ends it. */
  onBlock(listener: (block: BlockSummary, work: BlockWork) => void): () => void {
    return this.blockListeners.add(listener);
  }

  /** Tells of every pending transaction that is dropped, with the reason. */
  onDropped(listener: (dropped: DroppedTransaction) => void): () => void {
    return this.droppedListeners.add(listener);
  }
}
