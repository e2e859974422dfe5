import type { BlockSteps, BlockSummary, Ledger, NextBlockOptions, SerializedBlock } from '../ledger/index.ts';
import { BLOCK_TIME_SHARE, WRITE_SLICE_MS } from '../limits.ts';
import { type Block, type BlockId, equalBytes } from '../protocol/index.ts';
import type { CpuBackoff } from '../scheduling/index.ts';
import type { Time } from '../time.ts';

/** Share of the interval, after each block, for executing pending transactions again. */
const PENDING_TIME_SHARE = 0.25;

/**
 * The outcome of an append to a block log: `appended` if the log holds this very block at its number, since now or
 * since an earlier append of the same bytes; `conflict` if it holds another one there, which reading returns.
 */
export type AppendOutcome = 'appended' | 'conflict';

/** What work on a ledger is done with. */
export interface LedgerWorkOptions {
  readonly time: Time;
  readonly backoff: CpuBackoff;
  readonly ledger: Pick<
    Ledger,
    | 'beginBlock'
    | 'beginImport'
    | 'importTogether'
    | 'isAddingBlock'
    | 'refreshPending'
    | 'onBlock'
    | 'onForgotten'
    | 'onPatched'
  >;
  /** Milliseconds from one block of the chain to the next. */
  readonly intervalMs: number;
  /** What waits could not be executed again. */
  onFailure(error: unknown): void;
}

/** A made block that the block log is asked to give its place. */
interface Placing {
  readonly steps: BlockSteps;
  readonly id: BlockId;
  /** The block log has decided, as reading it shows. */
  readonly settle: () => void;
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
  #placing: Placing | undefined;
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

  /**
   * Makes a block that takes a share of the interval at most, or takes the one that was signed before, and has the
   * block log give it its place. Until that has answered nothing of it is seen, and reading and submitting go on.
   *
   * @param append asks the block log; not at all where reading it was faster
   * @returns undefined where another block has the place, which comes by reading the block log
   * @throws what the ledger and `append` throw; nothing is changed then
   */
  async append(
    next: NextBlockOptions,
    append: (block: SerializedBlock) => Promise<AppendOutcome>,
  ): Promise<BlockSummary | undefined> {
    const { ledger, intervalMs, time } = this.#options;
    const steps = ledger.beginBlock(intervalMs * BLOCK_TIME_SHARE, next, 'log');
    this.#steps = steps;
    try {
      await this.#options.backoff.runSliced((until) => steps.make(until) || undefined);
      const outcome = await this.#askForPlace(steps, append);
      if (outcome !== 'conflict') return steps.store(time.now() + WRITE_SLICE_MS);
      steps.discard('another block has its place');
      return undefined;
    } catch (error) {
      steps.discard('it has no place yet');
      throw error;
    }
  }

  /**
   * Adds a block that the block log has given its place, as reading it shows. A block of this node that is on its way
   * there gives way to it, unless it is this very block. Throws what the ledger throws.
   */
  addPlaced(block: Block, id: BlockId): BlockSummary | Promise<BlockSummary> {
    const { ledger, time } = this.#options;
    const placing = this.#placing;
    try {
      if (placing !== undefined && !placing.steps.isOver && equalBytes(placing.id, id)) {
        return placing.steps.store(time.now() + WRITE_SLICE_MS);
      }
      return this.#add(ledger.beginImport(block));
    } finally {
      if (placing?.steps.isOver === true) placing.settle();
    }
  }

  /**
   * Adds blocks without transactions that the block log has given their places, and stores them together, as many as
   * there is time for: none while another one is on its way. Throws what the ledger throws.
   */
  addTogether(blocks: readonly Block[]): number | Promise<number> {
    const { ledger } = this.#options;
    if (this.#adding !== undefined || this.#placing !== undefined || ledger.isAddingBlock()) return 0;
    return this.#options.backoff.runSliced((until) => ledger.importTogether(blocks, until));
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
    this.#placing?.settle();
  }

  /** Asks the block log; undefined where it was found out otherwise what becomes of the block. */
  async #askForPlace(
    steps: BlockSteps,
    append: (block: SerializedBlock) => Promise<AppendOutcome>,
  ): Promise<AppendOutcome | undefined> {
    const block = steps.serialized();
    const settled = new Promise<undefined>((resolve) => {
      this.#placing = { steps, id: block.id, settle: () => resolve(undefined) };
    });
    try {
      return await Promise.race([append(block), settled]);
    } finally {
      this.#placing = undefined;
    }
  }

  /** Has a block made and stored, which needs no more than that to have its place. */
  #add(steps: BlockSteps): BlockSummary | Promise<BlockSummary> {
    const { time } = this.#options;
    const store = (): BlockSummary => steps.store(time.now() + WRITE_SLICE_MS);
    const made = this.#options.backoff.runSliced((until) => steps.make(until) || undefined);
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
      const refreshed = this.#options.backoff.runSliced((until) =>
        this.#refreshSlice(until) ? undefined : 'done',
      );
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
