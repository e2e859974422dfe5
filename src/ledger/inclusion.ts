import { REGISTRATION_BLOCK_TIMEOUT_MS } from '../limits.ts';
import { bytesToHex, type Hash, type SignedTransaction, transactionId } from '../protocol/index.ts';
import { RegistrationError } from './errors.ts';
import type { Ledger } from './ledger.ts';
import type { IncludedOperation } from './operation-lookup.ts';
import type { RefusedError } from './refusal.ts';

/** What became of a submitted transaction. */
export type Inclusion =
  | { readonly kind: 'included'; readonly operation: IncludedOperation }
  | { readonly kind: 'dropped'; readonly error: RefusedError };

/** How a wait ends. */
interface Waiting {
  /** Transaction hash of the first operation, pending form. */
  readonly hash: Hash;
  readonly resolve: (inclusion: Inclusion) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

/** Waits for blocks with certain transactions; listens to the ledger only while somebody waits. */
export class InclusionWatch {
  readonly #ledger: Pick<Ledger, 'findOperation' | 'onBlock' | 'onDropped'>;
  /** By the hex of the transaction's id. */
  readonly #waiting = new Map<string, Waiting>();
  #stopListening: () => void = () => undefined;
  #closed = false;

  constructor(ledger: Pick<Ledger, 'findOperation' | 'onBlock' | 'onDropped'>) {
    this.#ledger = ledger;
  }

  /**
   * Waits until a submitted transaction is in a block or dropped.
   *
   * @param hash what submitting it answered: where it is in a block already, the wait is over at once
   * @throws RegistrationError `NO_BLOCK` after 30 s, and `CLOSED`: the transaction stays pending
   */
  wait(transaction: SignedTransaction, hash: Hash): Promise<Inclusion> {
    const operation = this.#ledger.findOperation(hash);
    if (operation?.kind === 'included') return Promise.resolve({ kind: 'included', operation });
    if (this.#closed) return Promise.reject(closed());
    const id = bytesToHex(transactionId(transaction));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#end(id)?.reject(noBlock()), REGISTRATION_BLOCK_TIMEOUT_MS);
      if (this.#waiting.size === 0) this.#listen();
      this.#waiting.set(id, { hash, resolve, reject, timer });
    });
  }

  /** Ends every wait, and those still to come. */
  close(): void {
    this.#closed = true;
    for (const id of [...this.#waiting.keys()]) this.#end(id)?.reject(closed());
  }

  #listen(): void {
    const stopBlocks = this.#ledger.onBlock(({ operationCount }) => {
      if (operationCount > 0) this.#lookUp();
    });
    const stopDropped = this.#ledger.onDropped(({ transaction, error }) => {
      this.#end(bytesToHex(transactionId(transaction)))?.resolve({ kind: 'dropped', error });
    });
    this.#stopListening = () => {
      stopBlocks();
      stopDropped();
    };
  }

  #lookUp(): void {
    for (const [id, { hash }] of [...this.#waiting]) {
      const operation = this.#ledger.findOperation(hash);
      if (operation?.kind === 'included') this.#end(id)?.resolve({ kind: 'included', operation });
    }
  }

  #end(id: string): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return undefined;
    clearTimeout(waiting.timer);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#stopListening();
    return waiting;
  }
}

function noBlock(): RegistrationError {
  return new RegistrationError(
    'NO_BLOCK',
    `no block came within ${REGISTRATION_BLOCK_TIMEOUT_MS / 1_000} s: the registration stays pending`,
  );
}

function closed(): RegistrationError {
  return new RegistrationError(
    'CLOSED',
    'the node stops before the registration is in a block: the registration stays pending',
  );
}
