import { WRITE_SLICE_MS } from '../limits.ts';
import type { Address, Hash } from '../protocol/index.ts';
import type { Stopwatch } from '../time.ts';
import type { CallMessage, CallOutcome } from './calls/index.ts';
import type { LedgerQueries } from './queries/index.ts';
import type { WorkingState } from './state/index.ts';
import type { PendingPool } from './transactions/index.ts';

/** What waits, and what measures the time for it. */
interface PendingPoolParts {
  readonly pool: PendingPool;
  readonly time: Stopwatch;
}

/**
 * What can be asked of the state after those that wait for a block, as far as they are executed: what Ethereum's
 * clients know as the block `pending`.
 */
export class PendingState {
  readonly #ledger: LedgerQueries;
  readonly #parts: PendingPoolParts;

  constructor(ledger: LedgerQueries, parts: PendingPoolParts) {
    this.#ledger = ledger;
    this.#parts = parts;
  }

  get #pool(): PendingPool {
    return this.#parts.pool;
  }

  /** Whether nothing waits, so that it is the state at the head. */
  get isEmpty(): boolean {
    return this.#pool.size === 0;
  }

  get #state(): WorkingState {
    this.#pool.catchUp(this.#parts.time.now() + WRITE_SLICE_MS);
    return this.#pool.state;
  }

  /** The nonce that the next transaction of a sender needs: behind all that wait without a gap. */
  nonceOf(sender: Address): bigint {
    return this.#pool.nextNonce({ sender, nonce: this.#ledger.nonceOf(sender) });
  }

  weiBalanceOf(address: Address): bigint {
    return this.isEmpty ? this.#ledger.weiBalanceOf(address) : this.#state.engine.balanceOf(address);
  }

  codeAt(address: Address): Uint8Array {
    return this.isEmpty ? this.#ledger.codeAt(address) : this.#state.codeAt(address);
  }

  storageAt(address: Address, slot: Hash): Uint8Array {
    return this.isEmpty ? this.#ledger.storageAt(address, slot) : this.#state.storageAt(address, slot);
  }

  /** Runs a call as in the next block. Overrides of the state are on that of the head. */
  call(message: CallMessage): CallOutcome {
    return this.#ledger.callOn(this.#stateFor(message), message);
  }

  /** The least gas with which a transaction of Ethereum's that sends the message succeeds in the next block. */
  estimateTransaction(message: CallMessage): bigint {
    return this.#ledger.estimateTransaction(message, this.#stateFor(message));
  }

  #stateFor({ overrides }: CallMessage): WorkingState | undefined {
    const isOverridden = overrides !== undefined && overrides.accounts.length > 0;
    return this.isEmpty || isOverridden ? undefined : this.#state;
  }
}
