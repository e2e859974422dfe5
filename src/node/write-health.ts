import type { Ledger } from '../ledger/index.ts';
import { type Store, StoreError } from '../store/index.ts';
import type { NodeEvents } from './events.ts';
import type { HealthCheck } from './health.ts';
import { KeyFileError } from './node-errors.ts';

/** A store that writes each block before its notification. */
const ALL_WRITTEN: Pick<Store, 'unwritten'> = { unwritten: () => ({ blocks: 0, hasFailed: false }) };

/** Tracks failures to write to the store. */
export class WriteHealth implements HealthCheck {
  readonly #store: Pick<Store, 'unwritten'>;
  readonly #events: Pick<NodeEvents, 'onDiskFailure'>;
  #failed = false;

  /** @param store absent: one without unwritten blocks */
  constructor(
    chain: Pick<Ledger['chain'], 'onBlock'>,
    events: Pick<NodeEvents, 'onDiskFailure'> = {},
    store: Pick<Store, 'unwritten'> = ALL_WRITTEN,
  ) {
    this.#store = store;
    this.#events = events;
    chain.onBlock(() => {
      this.#failed = false;
    });
  }

  /** Records a failure to write to the store, or to the record of signed blocks. */
  note(error: unknown): void {
    if (error instanceof KeyFileError) this.#failed = true;
    if (!(error instanceof StoreError)) return;
    // A store with unwritten blocks reports a later success itself.
    const isCommit = error.code === 'STORE_COMMIT_FAILED' && !this.#store.unwritten().hasFailed;
    if (isCommit || error.code === 'STORE_DISK_FAILED') this.#failed = true;
    if (error.code === 'STORE_DISK_FAILED') this.#events.onDiskFailure?.(error);
  }

  problems(): string[] {
    const { blocks, hasFailed } = this.#store.unwritten();
    return [
      ...(this.#failed ? ['the last block or transaction could not be written'] : []),
      ...(hasFailed ? [`the newest ${blocks} blocks could not be written, and are in memory only`] : []),
    ];
  }
}
