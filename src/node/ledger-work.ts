import type { BlockSteps, BlockSummary, Ledger } from '../ledger/index.ts';
import { BLOCK_TIME_SHARE, PENDING_TIME_SHARE, WRITE_SLICE_MS } from '../limits.ts';
import type { Block } from '../protocol/index.ts';
import { inSlices, type Slicing } from './slices.ts';

/** What work on a ledger is done with. */
export interface LedgerWorkOptions extends Slicing {
  readonly ledger: Pick<
    Ledger,
    'beginBlock' | 'beginImport' | 'refreshPending' | 'onBlock' | 'onForgotten' | 'onPatched'
  >;
  /** Milliseconds from one block of the chain to the next. */
  readonly intervalMs: number;
  /** What waits could not be executed again. */
  onFailure(error: unknown): void;
}

/**
 * Adds blocks to a ledger, and executes what waits for them, in slices between which everything else gets its turn.
 * What is through at once is done at once.
 */
export class LedgerWork {
  readonly #options: LedgerWorkOptions;
  /** The block that is on its way. */
  #steps: BlockSteps | undefined;
  #adding: Promise<unknown> | undefined;
  /** Milliseconds that executing again what waits has taken since the newest block. */
  #refreshMs = 0;
  #isRefreshing = false;
  #isClosed = false;
  #stopListening: readonly (() => void)[] = [];

  constructor(options: LedgerWorkOptions) {
    this.#options = options;
  }

  /** Begins to execute what waits, now, after every block and every patch, and after another past. */
  start(): void {
    const { ledger } = this.#options;
    const refresh = (): void => this.#refresh();
    this.#stopListening = [ledger.onBlock(refresh), ledger.onForgotten(refresh), ledger.onPatched(refresh)];
    this.#refresh();
  }

  /** Makes a block that takes a share of the interval at most. Throws what the ledger throws. */
  mine(): BlockSummary | Promise<BlockSummary> {
    const { ledger, intervalMs } = this.#options;
    return this.#add(ledger.beginBlock(intervalMs * BLOCK_TIME_SHARE));
  }

  /** Adds a block that was made elsewhere. Throws what the ledger throws. */
  importBlock(block: Block): BlockSummary | Promise<BlockSummary> {
    return this.#add(this.#options.ledger.beginImport(block));
  }

  /** What to wait for before the next block is added; undefined when none is on its way. */
  whenIdle(): Promise<unknown> | undefined {
    return this.#adding;
  }

  /** Ends all work; a block that is on its way is given up. */
  close(): void {
    this.#isClosed = true;
    for (const stop of this.#stopListening) stop();
    this.#steps?.discard('the node stops');
  }

  /** Has a block made, appended and stored. A log that decides is asked between the two: here appending is nothing. */
  #add(steps: BlockSteps): BlockSummary | Promise<BlockSummary> {
    const { time } = this.#options;
    const store = (): BlockSummary => steps.store(time.now() + WRITE_SLICE_MS);
    const made = inSlices(this.#options, (until) => steps.make(until) || undefined);
    if (!(made instanceof Promise)) return store();
    const added = made.then(store);
    this.#steps = steps;
    const adding = added
      .catch(() => undefined)
      .finally(() => {
        if (this.#adding === adding) this.#adding = undefined;
      });
    this.#adding = adding;
    return added;
  }

  #refresh(): void {
    this.#refreshMs = 0;
    if (this.#isRefreshing || this.#isClosed) return;
    this.#isRefreshing = true;
    const end = (): void => {
      this.#isRefreshing = false;
    };
    const fail = (error: unknown): void => {
      end();
      this.#options.onFailure(error);
    };
    try {
      const refreshed = inSlices(this.#options, (until) => (this.#refreshSlice(until) ? undefined : 'done'));
      if (refreshed instanceof Promise) refreshed.then(end, fail);
      else end();
    } catch (error) {
      fail(error);
    }
  }

  /** Returns whether there is more, and time for it. */
  #refreshSlice(until: number): boolean {
    const { ledger, time, intervalMs } = this.#options;
    if (this.#isClosed) return false;
    const began = time.now();
    const isMore = ledger.refreshPending(until);
    this.#refreshMs += time.now() - began;
    return isMore && this.#refreshMs < intervalMs * PENDING_TIME_SHARE;
  }
}
