import type { Address, ContractId, Hash, SignedTransaction } from '../protocol/index.ts';
import type { Chain } from './chain/index.ts';
import { LedgerProduction } from './ledger-production.ts';
import type { Production } from './production.ts';
import {
  findOperation,
  findTransaction,
  type IncludedOperation,
  type LedgerParts,
  type PendingOperation,
  pendingOperations,
} from './queries/index.ts';
import type { PendingPool } from './transactions/index.ts';

/** A ledger that knows of transactions which wait. */
export abstract class LedgerPending extends LedgerProduction {
  protected readonly pool: PendingPool;
  readonly #chain: Chain;

  constructor(parts: LedgerParts, production: Production, pool: PendingPool) {
    super(parts, production);
    this.#chain = parts.chain;
    this.pool = pool;
  }

  /** Finds an operation by either form of its transaction hash (docs/interface.md#transaction-hash). */
  findOperation(hash: Hash): IncludedOperation | PendingOperation | undefined {
    return findOperation(hash, this.#chain, this.pool, this.#pendingContractAddressOf);
  }

  /** Finds the transaction around an operation by either form of the operation's transaction hash. */
  findTransaction(hash: Hash): SignedTransaction | undefined {
    return findTransaction(this.findOperation(hash), this.#chain, this.pool);
  }

  /** Transactions that wait for a block. */
  get pendingCount(): number {
    return this.pool.size;
  }

  /** Operations that wait for a block, in order. */
  pendingOperations(): PendingOperation[] {
    return pendingOperations(this.pool.transactions(), this.#pendingContractAddressOf);
  }

  readonly #pendingContractAddressOf = (id: ContractId): Address | undefined =>
    this.pool.state.native.contractAddress(id);
}
