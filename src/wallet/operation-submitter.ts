import { type BlockSummary, type Ledger, RefusedError } from '../ledger/index.ts';
import {
  bytesToHex,
  encode,
  type Hash,
  type Operation,
  operationCodec,
  type SignedTransaction,
} from '../protocol/index.ts';

/** Seconds from the head block to the expiration of a transaction of the test wallet. */
export const WALLET_EXPIRATION_SECONDS = 60;

/** Submits operations in transactions that differ from all previous ones. */
export class OperationSubmitter {
  readonly #ledger: Pick<Ledger, 'blocks' | 'pool'>;
  /** Last expiration of equal operations since the newest block, so that a series does not retry all earlier ones. */
  readonly #expirations = { head: '', used: new Map<string, number>() };

  constructor(ledger: Pick<Ledger, 'blocks' | 'pool'>) {
    this.#ledger = ledger;
  }

  /**
   * Submits an operation. Increases the expiration while an equal transaction exists. Returns the transaction's hash.
   *
   * @throws RefusedError
   */
  submit(operation: Operation, make: (head: BlockSummary, expiration: number) => SignedTransaction): Hash {
    const head = this.#ledger.blocks.head();
    const used = this.#expirationsAfter(head.id);
    const identity = bytesToHex(encode(operationCodec, operation));
    let expiration = (used.get(identity) ?? head.header.timestamp + WALLET_EXPIRATION_SECONDS - 1) + 1;
    for (;;) {
      try {
        const { hash } = this.#ledger.pool.submit(make(head, expiration), 'node');
        used.set(identity, expiration);
        return hash;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        expiration += 1;
      }
    }
  }

  /** Drops the recorded expirations: a reorganisation may have reverted their transactions. */
  handleReorg(): void {
    this.#expirations.head = '';
  }

  #expirationsAfter(head: Uint8Array): Map<string, number> {
    const id = bytesToHex(head);
    if (this.#expirations.head !== id) {
      this.#expirations.head = id;
      this.#expirations.used.clear();
    }
    return this.#expirations.used;
  }
}

/** True for the error of a duplicate. */
function isDuplicate(error: unknown): boolean {
  return (
    error instanceof RefusedError &&
    (error.reason.code === 'alreadyPending' || error.reason.code === 'alreadyIncluded')
  );
}
