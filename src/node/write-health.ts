import type { Ledger } from '../ledger/index.ts';
import { StoreError } from '../store/index.ts';
import { KeyFileError } from './errors.ts';
import type { NodeEvents } from './events.ts';

/** Knows whether the last attempt to write to the store came to something. */
export class WriteHealth {
  readonly #events: Pick<NodeEvents, 'onDiskFailure'>;
  #failed = false;

  constructor(ledger: Pick<Ledger, 'onBlock'>, events: Pick<NodeEvents, 'onDiskFailure'> = {}) {
    this.#events = events;
    ledger.onBlock(() => {
      this.#failed = false;
    });
  }

  /** Takes note of a failure, if it is one of writing: to the store, or to the record of what was signed. */
  note(error: unknown): void {
    if (error instanceof KeyFileError) this.#failed = true;
    if (!(error instanceof StoreError)) return;
    if (error.code === 'STORE_COMMIT_FAILED' || error.code === 'STORE_DISK_FAILED') this.#failed = true;
    if (error.code === 'STORE_DISK_FAILED') this.#events.onDiskFailure?.(error);
  }

  /** What an operator should look after. */
  problems(): string[] {
    return this.#failed ? ['the last block or transaction could not be written'] : [];
  }
}
