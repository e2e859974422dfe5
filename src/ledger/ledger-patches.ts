import type { Patch } from './chain/index.ts';
import { LedgerPending, type PendingParts } from './ledger-pending.ts';
import { commitPatch, type PatchParts, replayPatch } from './patches/index.ts';
import type { Production } from './production.ts';
import type { LedgerParts } from './queries/index.ts';

/** A ledger whose state a test can change without a block. */
export abstract class LedgerPatches extends LedgerPending {
  readonly #parts: PatchParts;

  constructor(parts: LedgerParts, production: Production, others: PendingParts & PatchParts) {
    super(parts, production, others);
    this.#parts = others;
  }

  /**
   * Changes the state after the head at once, without a block; the next block begins with it.
   *
   * @param make gives the change, or none, from the state that it is made to; what it throws is thrown
   * @throws RefusedError for what cannot be changed, on a chain that is not one of test mode, and while writes are
   *   paused; HistoryDisabledError; what the store throws; nothing is changed then
   */
  patch(make: () => Patch | undefined): void {
    this.change(() => {
      const patch = make();
      if (patch !== undefined) commitPatch(this.#parts, patch);
      return patch !== undefined;
    });
  }

  /**
   * Changes the state after the head as another store of the same chain has it.
   *
   * @param record from `StoreReader.patchesAfter`
   * @throws what `patch` throws, and DecodeError for a record that cannot be read
   */
  importPatch(record: Uint8Array): void {
    this.change(() => {
      replayPatch(this.#parts, record);
      return true;
    });
  }

  /** How many patches there are after the head. */
  get patchCount(): number {
    return this.#parts.store.patchCount(this.head().number);
  }

  /**
   * Has everybody see what a change of the stored state has made of it.
   *
   * @param commit returns whether there is a change
   */
  protected abstract change(commit: () => boolean): void;
}
