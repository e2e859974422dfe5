import type { Address, ContractId, Hash, SignedTransaction } from '../protocol/index.ts';
import type { Stopwatch } from '../time.ts';
import type { Chain } from './chain/index.ts';
import { LedgerProduction } from './ledger-production.ts';
import { PendingState } from './pending-state.ts';
import type { Production } from './production.ts';
import {
  findCarrier,
  findOperation,
  findTransaction,
  type IncludedOperation,
  type LedgerParts,
  type PendingOperation,
  pendingOperations,
} from './queries/index.ts';
import type { PendingPool } from './transactions/index.ts';

/** What is asked of what waits. */
export interface PendingParts {
  readonly chain: Chain;
  readonly pool: PendingPool;
  readonly time: Stopwatch;
}

/** A ledger of which can be asked what waits for a block. */
export abstract class LedgerPending extends LedgerProduction {
  /** The chain with what waits: what Ethereum's clients know as the block `pending`. */
  readonly pending: PendingState;
  readonly #parts: PendingParts;

  constructor(parts: LedgerParts, production: Production, others: PendingParts) {
    super(parts, production);
    this.#parts = others;
    this.pending = new PendingState(this, others);
  }

  protected get pool(): PendingPool {
    return this.#parts.pool;
  }

  /**
   * Finds an operation by either form of its transaction hash (docs/interface.md#transaction-hash), or by the hash of
   * the transaction of Ethereum's that it carries.
   */
  findOperation(hash: Hash): IncludedOperation | PendingOperation | undefined {
    const { chain } = this.#parts;
    const native = findOperation(hash, chain, this.pool, this.#pendingContractAddressOf);
    if (native !== undefined || !this.knowsEthereum) return native;
    return findCarrier(hash, chain, this.pool, this.#pendingContractAddressOf);
  }

  /** Finds the transaction around an operation by either form of the operation's transaction hash. */
  findTransaction(hash: Hash): SignedTransaction | undefined {
    return findTransaction(this.findOperation(hash), this.#parts.chain, this.pool);
  }

  /** Transactions that wait for a block, those for lower nonces among them, in the order in which they came. */
  pendingTransactions(): SignedTransaction[] {
    return [...this.pool.transactions(), ...this.pool.queued()];
  }

  /** Whether a transaction waits for a block. */
  isPending(transaction: SignedTransaction): boolean {
    return this.pool.has(transaction);
  }

  /** Transactions that wait for a block. */
  get pendingCount(): number {
    return this.pool.size;
  }

  /** Operations that wait for a block, in order. */
  pendingOperations(): PendingOperation[] {
    return pendingOperations(this.pool.transactions(), this.#pendingContractAddressOf);
  }

  /** Operations that wait for those of lower nonces. */
  queuedOperations(): PendingOperation[] {
    return pendingOperations(this.pool.queued(), this.#pendingContractAddressOf);
  }

  readonly #pendingContractAddressOf = (id: ContractId): Address | undefined =>
    this.pool.state.native.contractAddress(id);
}
