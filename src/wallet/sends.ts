import { type BlockSummary, type Ledger, RefusedError } from '../ledger/index.ts';
import { WALLET_EXPIRATION_SECONDS } from '../limits.ts';
import {
  bytesToHex,
  encode,
  type Hash,
  type Operation,
  operationCodec,
  type SignedTransaction,
} from '../protocol/index.ts';

/** Puts operations into transactions that were not there before, and submits them. */
export class Sends {
  readonly #ledger: Pick<Ledger, 'head' | 'submit'>;
  /** Newest expiration of equal operations since the newest block: spares trying a long series again. */
  readonly #expirations = { head: '', used: new Map<string, number>() };

  constructor(ledger: Pick<Ledger, 'head' | 'submit'>) {
    this.#ledger = ledger;
  }

  /**
   * Submits an operation, with a later expiration for as long as an equal transaction exists.
   *
   * @param make makes the transaction of it
   * @returns the transaction's hash
   * @throws RefusedError
   */
  submit(operation: Operation, make: (head: BlockSummary, expiration: number) => SignedTransaction): Hash {
    const head = this.#ledger.head();
    const used = this.#expirationsAfter(head.id);
    const identity = bytesToHex(encode(operationCodec, operation));
    let expiration = (used.get(identity) ?? head.header.timestamp + WALLET_EXPIRATION_SECONDS - 1) + 1;
    for (;;) {
      try {
        const { hash } = this.#ledger.submit(make(head, expiration), 'node');
        used.set(identity, expiration);
        return hash;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        expiration += 1;
      }
    }
  }

  /** Forgets what was sent: the blocks with it may be gone. */
  forget(): void {
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

/** Any other refusal, a too late expiration among them, ends the search for a free one. */
function isDuplicate(error: unknown): boolean {
  return (
    error instanceof RefusedError &&
    (error.reason.code === 'alreadyPending' || error.reason.code === 'alreadyIncluded')
  );
}
