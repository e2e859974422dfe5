import type { Ledger } from '../ledger/index.ts';
import { StoreError } from '../store/index.ts';

/** Knows whether the last attempt to write to the store came to something. */
export class WriteHealth {
  #failed = false;

  constructor(ledger: Pick<Ledger, 'onBlock'>) {
    ledger.onBlock(() => {
      this.#failed = false;
    });
  }

  /** Takes note of a failure, if it is one of writing. */
  note(error: unknown): void {
    if (error instanceof StoreError && error.code === 'STORE_COMMIT_FAILED') this.#failed = true;
  }

  /** What an operator should look after. */
  problems(): string[] {
    return this.#failed ? ['the last block or transaction could not be written'] : [];
  }
}
