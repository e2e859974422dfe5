import { type Hash, hexIdOf, type SignedTransaction } from '../protocol/index.ts';
import { systemTime, type Time } from '../time/time.ts';
import type { RefusedError } from './errors/refusal.ts';
import type { Ledger } from './ledger.ts';
import type { IncludedOperation } from './queries/operation-lookup.ts';

/**
 * The result of a wait for a submitted transaction: it is in a block, was dropped, or is still pending when the time is
 * over or the node stops.
 */
export type Inclusion =
  | { readonly kind: 'included'; readonly operation: IncludedOperation }
  | { readonly kind: 'dropped'; readonly error: RefusedError }
  | { readonly kind: 'late' }
  | { readonly kind: 'closed' };

interface Waiter {
  /** Transaction hash of the first operation, pending form. */
  readonly hash: Hash;
  readonly resolve: (inclusion: Inclusion) => void;
  readonly cancel: () => void;
}

export type WatchedLedger = Pick<Ledger, 'pool' | 'chain'>;

/**
 * Waits for the inclusion of transactions; listens to the ledger only during a wait. Each wait has a pending
 * transaction, so the pool's bound limits their number.
 */
export class InclusionWatch {
  readonly #ledger: WatchedLedger;
  readonly #time: Pick<Time, 'after'>;
  /** By the hex of the transaction's id. */
  readonly #waiters = new Map<string, Waiter>();
  #stopListening: () => void = () => undefined;
  #closed = false;

  constructor(ledger: WatchedLedger, time: Pick<Time, 'after'> = systemTime) {
    this.#time = time;
    this.#ledger = ledger;
  }

  /**
   * Waits until a submitted transaction is included or dropped.
   * @param hash returned by submitting it; if it is included already, the wait ends at once
   * @param milliseconds time-out
   */
  wait(transaction: SignedTransaction, hash: Hash, milliseconds: number): Promise<Inclusion> {
    const operation = this.#ledger.pool.findOperation(hash);
    if (operation?.kind === 'included') return Promise.resolve({ kind: 'included', operation });
    if (this.#closed) return Promise.resolve({ kind: 'closed' });
    const id = hexIdOf(transaction);
    return new Promise((resolve) => {
      const cancel = this.#time.after(milliseconds, () => this.#end(id)?.resolve({ kind: 'late' }));
      if (this.#waiters.size === 0) this.#listen();
      this.#waiters.set(id, { hash, resolve, cancel });
    });
  }

  /** Ends every wait, and those still to come. */
  close(): void {
    this.#closed = true;
    for (const id of [...this.#waiters.keys()]) this.#end(id)?.resolve({ kind: 'closed' });
  }

  #listen(): void {
    const stopBlocks = this.#ledger.chain.onBlock(({ operationCount }) => {
      if (operationCount > 0) this.#lookUp();
    });
    const stopDropped = this.#ledger.pool.onDropped(({ transaction, error }) => {
      this.#end(hexIdOf(transaction))?.resolve({ kind: 'dropped', error });
    });
    this.#stopListening = () => {
      stopBlocks();
      stopDropped();
    };
  }

  #lookUp(): void {
    for (const [id, { hash }] of [...this.#waiters]) {
      const operation = this.#ledger.pool.findOperation(hash);
      if (operation?.kind === 'included') this.#end(id)?.resolve({ kind: 'included', operation });
    }
  }

  #end(id: string): Waiter | undefined {
    const waiter = this.#waiters.get(id);
    if (waiter === undefined) return undefined;
    waiter.cancel();
    this.#waiters.delete(id);
    if (this.#waiters.size === 0) this.#stopListening();
    return waiter;
  }
}
