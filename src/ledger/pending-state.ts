import { WRITE_SLICE_MS } from '../limits.ts';
import type { Address, Hash } from '../protocol/index.ts';
import type { CallMessage, CallOutcome } from './calls/execution.ts';
import type { LedgerCore } from './core.ts';
import type { AccountQueries } from './queries/account-queries.ts';
import type { CallQueries } from './queries/call-queries.ts';
import type { LedgerQueries } from './queries/ledger-queries.ts';
import type { WorkingState } from './state/working-state.ts';

/** The state after the executed pending transactions: the block `pending` of Ethereum's clients. */
export class PendingState {
  readonly accounts: PendingAccounts;
  readonly calls: PendingCalls;
  readonly #core: LedgerCore;

  constructor(core: LedgerCore, { accounts, calls }: LedgerQueries) {
    this.#core = core;
    const executed: ExecutedState = () => {
      if (this.isEmpty) return undefined;
      const { pool } = core.origin;
      pool.catchUp(core.time.now() + WRITE_SLICE_MS);
      return pool.state;
    };
    this.accounts = new PendingAccounts(core, accounts, executed);
    this.calls = new PendingCalls(calls, executed);
  }

  /** True without pending transactions, so that it equals the state at the head. */
  get isEmpty(): boolean {
    return this.#core.origin.pool.size === 0;
  }
}

/** Returns the state after pending transactions; undefined without any. */
type ExecutedState = () => WorkingState | undefined;

class PendingAccounts {
  readonly #core: LedgerCore;
  readonly #head: AccountQueries;
  readonly #executed: ExecutedState;

  constructor(core: LedgerCore, head: AccountQueries, executed: ExecutedState) {
    this.#core = core;
    this.#head = head;
    this.#executed = executed;
  }

  /** Returns the nonce that the next transaction of a sender needs, after its pending ones without a gap. */
  nonceOf(sender: Address): bigint {
    return this.#core.origin.pool.nextNonce({ sender, nonce: this.#head.nonceOf(sender) });
  }

  weiBalanceOf(address: Address): bigint {
    return this.#executed()?.engine.balanceOf(address) ?? this.#head.weiBalanceOf(address);
  }

  codeAt(address: Address): Uint8Array {
    return (this.#executed() ?? this.#head).codeAt(address);
  }

  storageAt(address: Address, slot: Hash): Uint8Array {
    return (this.#executed() ?? this.#head).storageAt(address, slot);
  }
}

class PendingCalls {
  readonly #head: CallQueries;
  readonly #executed: ExecutedState;

  constructor(head: CallQueries, executed: ExecutedState) {
    this.#head = head;
    this.#executed = executed;
  }

  /** Runs a call as in the next block. Overrides of the state are on that of the head. */
  call(message: CallMessage): CallOutcome {
    return this.#head.callOn(this.#stateFor(message), message);
  }

  /** Estimates the least gas with which an Ethereum transaction of the message succeeds in the next block. */
  estimateTransaction(message: CallMessage): bigint {
    return this.#head.estimateTransaction(message, this.#stateFor(message));
  }

  #stateFor({ overrides }: CallMessage): WorkingState | undefined {
    const isOverridden = overrides !== undefined && overrides.accounts.length > 0;
    return isOverridden ? undefined : this.#executed();
  }
}
