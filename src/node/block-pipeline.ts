import type { BlockSteps, BlockSummary, Ledger, NextBlockOptions, SerializedBlock } from '../ledger/index.ts';
import { BLOCK_TIME_SHARE, WRITE_SLICE_MS } from '../limits.ts';
import { type Block, type BlockId, equalBytes } from '../protocol/index.ts';
import type { CpuBackoff } from '../scheduling/index.ts';
import type { Time } from '../time.ts';

/** Share of the interval, after each block, for executing pending transactions again. */
const PENDING_TIME_SHARE = 0.25;

/**
 * The outcome of an append to a block log: `appended` if the log holds this block at its number, `conflict` if another
 * one, which reading returns.
 */
export type AppendOutcome = 'appended' | 'conflict';

/** The ledger, its time and the share of the thread. */
export interface BlockPipelineOptions {
  readonly time: Time;
  readonly backoff: CpuBackoff;
  readonly ledger: Pick<Ledger, 'production' | 'chain' | 'pool' | 'history'>;
  readonly intervalMs: number;
  onFailure(error: unknown): void;
}

/** A block for which an append to the block log is in flight. */
interface Placing {
  readonly steps: BlockSteps;
  readonly id: BlockId;
  /** Called when reading the block log shows the outcome. */
  readonly settle: () => void;
}

/**
 * Adds blocks to a ledger, and executes its pending transactions, in slices. Work that one slice finishes is
 * synchronous.
 */
export class BlockPipeline {
  readonly #options: BlockPipelineOptions;
  #steps: BlockSteps | undefined;
  #adding: Promise<unknown> | undefined;
  #placing: Placing | undefined;
  /** Milliseconds for executing pending transactions again since the newest block. */
  #refreshMs = 0;
  #isRefreshing = false;
  #isClosed = false;
  #stopListening: readonly (() => void)[] = [];

  constructor(options: BlockPipelineOptions) {
    this.#options = options;
  }

  /** Executes pending transactions now, and after every block, patch and revert. */
  start(): void {
    const { ledger } = this.#options;
    const refresh = (): void => this.#refresh();
    this.#stopListening = [
      ledger.chain.onBlock(refresh),
      ledger.history.onReorg(refresh),
      ledger.chain.onPatched(refresh),
    ];
    this.#refresh();
  }

  /** Makes a block within a share of the interval. Throws what the ledger throws. */
  mine(): BlockSummary | Promise<BlockSummary> {
    const { ledger, intervalMs } = this.#options;
    return this.#add(ledger.production.beginBlock(intervalMs * BLOCK_TIME_SHARE));
  }

  /** Adds a block that was made elsewhere. Throws what the ledger throws. */
  importBlock(block: Block): BlockSummary | Promise<BlockSummary> {
    return this.#add(this.#options.ledger.chain.beginImport(block));
  }

  /**
   * Makes a block within a share of the interval, or the one that was signed before, and has the block log order it.
   * Until then readers do not see it, and reading and submitting continue.
   * @param append appends to the block log; not called where reading it was faster
   * @returns undefined where the log has another block, which reading the log returns
   * @throws what the ledger and `append` throw; nothing is changed then
   */
  async append(
    next: NextBlockOptions,
    append: (block: SerializedBlock) => Promise<AppendOutcome>,
  ): Promise<BlockSummary | undefined> {
    const { ledger, intervalMs, time } = this.#options;
    const steps = ledger.production.beginBlock(intervalMs * BLOCK_TIME_SHARE, next, 'log');
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
   * Adds a block of the block log. It replaces a block of this node in flight, unless it is the same. Throws what the
   * ledger throws.
   */
  importOrdered(block: Block, id: BlockId): BlockSummary | Promise<BlockSummary> {
    const { ledger, time } = this.#options;
    const placing = this.#placing;
    try {
      if (placing !== undefined && !placing.steps.isOver && equalBytes(placing.id, id)) {
        return placing.steps.store(time.now() + WRITE_SLICE_MS);
      }
      return this.#add(ledger.chain.beginImport(block));
    } finally {
      if (placing?.steps.isOver === true) placing.settle();
    }
  }

  /**
   * Adds blocks of the block log without transactions in one commit, as many as time allows: none while another is in
   * flight. Throws what the ledger throws.
   */
  importTogether(blocks: readonly Block[]): number | Promise<number> {
    const { ledger } = this.#options;
    if (this.#adding !== undefined || this.#placing !== undefined || ledger.chain.isAddingBlock()) return 0;
    return this.#options.backoff.runSliced((until) => ledger.chain.importTogether(blocks, until));
  }

  /** Returns the promise to wait for before the next block is added; undefined when none is in flight. */
  whenIdle(): Promise<unknown> | undefined {
    return this.#adding;
  }

  /** Stops all work; a block in flight is discarded. */
  close(): void {
    this.#isClosed = true;
    for (const stop of this.#stopListening) stop();
    this.#steps?.discard('the node stops');
    this.#placing?.settle();
  }

  /** Appends to the block log; undefined where reading the log showed the outcome first. */
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

  /** Makes and stores a block that needs no order of the log. */
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

  #refreshSlice(until: number): boolean {
    const { ledger, time, intervalMs } = this.#options;
    if (this.#isClosed) return false;
    const began = time.now();
    const isMore = ledger.pool.refreshPending(until);
    this.#refreshMs += time.now() - began;
    return isMore && this.#refreshMs < intervalMs * PENDING_TIME_SHARE;
  }
}
