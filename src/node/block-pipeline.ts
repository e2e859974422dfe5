import type { BlockSummary, Ledger, NewBlock, NextBlockOptions, SerializedBlock } from '../ledger/index.ts';
import { type Block, type BlockId, equalBytes } from '../protocol/index.ts';
import type { ForkedChain } from '../rpc/index.ts';
import type { CpuBackoff } from '../scheduling/index.ts';
import { WRITE_SLICE_MS } from '../time/job.ts';
import type { Time } from '../time/time.ts';
import { withEntries } from './with-entries.ts';

/** Share of the block interval for which a block accepts transactions. */
const BLOCK_TIME_SHARE = 0.5;

/** Share of the interval after each block in which pending transactions are executed again. */
const PENDING_TIME_SHARE = 0.25;

/**
 * Outcome of an append to a block log: `appended` if the log has this block at its number, `conflict` if it has another
 * one.
 */
export type AppendOutcome = 'appended' | 'conflict';

export interface BlockPipelineOptions {
  readonly time: Time;
  readonly backoff: CpuBackoff;
  readonly ledger: Pick<Ledger, 'miner' | 'chain' | 'pool' | 'history'>;
  readonly intervalMs: number;
  /** Fetches missing entries of the remote chain of a fork; absent: the chain is no fork. */
  readonly fork?: ForkedChain | undefined;
  onFailure(error: unknown): void;
}

/** A block with an append to the block log in flight. */
interface PendingAppend {
  readonly added: NewBlock;
  readonly id: BlockId;
  /** Reports that the importer of the block log found the outcome. */
  readonly settle: () => void;
}

/**
 * Adds blocks to a ledger, and executes its pending transactions, in time slices. A job that fits into one slice is
 * synchronous.
 */
export class BlockPipeline {
  readonly #options: BlockPipelineOptions;
  #added: NewBlock | undefined;
  #adding: Promise<unknown> | undefined;
  #pendingAppend: PendingAppend | undefined;
  /** Milliseconds spent on pending transactions since the newest block. */
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
    const refresh = (): void => void this.#refresh();
    this.#stopListening = [
      ledger.chain.onBlock(refresh),
      ledger.history.onReorg(refresh),
      ledger.chain.onPatched(refresh),
    ];
    refresh();
  }

  /** Makes a block within a share of the interval. Throws the ledger's errors. */
  mine(): BlockSummary | Promise<BlockSummary> {
    const { ledger, intervalMs } = this.#options;
    return this.#add(ledger.miner.beginBlock(intervalMs * BLOCK_TIME_SHARE));
  }

  /** Makes a block of all pending transactions, as `Miner.mine`. Throws the ledger's errors. */
  mineAll(timestamp?: number): BlockSummary | Promise<BlockSummary> {
    return this.#add(this.#options.ledger.miner.beginBlock(Number.POSITIVE_INFINITY, { timestamp }));
  }

  /** Adds a block of another node, as `Ledger.chain.beginImport`. Throws the ledger's errors. */
  importBlock(block: Block, following?: () => Block | undefined): BlockSummary | Promise<BlockSummary> {
    return this.#add(this.#options.ledger.chain.beginImport(block, following));
  }

  /**
   * Makes a block within a share of the interval, or takes the one that was signed before, and has the block log order
   * it. Until then readers do not see it, and reading and submitting continue.
   * @param append appends to the block log
   * @returns undefined if the log has another block, which its importer adds
   * @throws the errors of the ledger and of `append`; nothing is changed then
   */
  async append(
    next: NextBlockOptions,
    append: (block: SerializedBlock) => Promise<AppendOutcome>,
  ): Promise<BlockSummary | undefined> {
    const { ledger, intervalMs, time } = this.#options;
    const added = ledger.miner.beginBlock(intervalMs * BLOCK_TIME_SHARE, next, 'log');
    this.#added = added;
    try {
      await this.#options.backoff.run(added.making());
      await added.sign();
      const outcome = await this.#order(added, append);
      if (outcome !== 'conflict') return added.store(time.now() + WRITE_SLICE_MS);
      added.discard('the block log has another block of this number');
      return undefined;
    } catch (error) {
      added.discard('the block log has not ordered the block');
      throw error;
    }
  }

  /**
   * Adds a block of the block log. It replaces a different block of this node in flight. Throws the ledger's errors.
   * @param following returns the block after it, as `Ledger.chain.beginImport`
   */
  importOrdered(
    block: Block,
    id: BlockId,
    following: () => Block | undefined,
  ): BlockSummary | Promise<BlockSummary> {
    const { ledger, time } = this.#options;
    const pending = this.#pendingAppend;
    try {
      if (pending !== undefined && !pending.added.isOver && equalBytes(pending.id, id)) {
        return pending.added.store(time.now() + WRITE_SLICE_MS);
      }
      return this.#add(ledger.chain.beginImport(block, following));
    } finally {
      if (pending?.added.isOver === true) pending.settle();
    }
  }

  /**
   * Adds blocks without transactions in one commit, as many as a time slice allows. Returns their count, 0 while
   * another block is in flight. Throws the ledger's errors.
   */
  importBatch(blocks: readonly Block[]): number | Promise<number> {
    const { ledger } = this.#options;
    if (this.#adding !== undefined || this.#pendingAppend !== undefined || ledger.chain.isAddingBlock())
      return 0;
    const importing = function* (): Generator<void, number, number> {
      return ledger.chain.importBatch(blocks, yield);
    };
    return this.#options.backoff.run(importing());
  }

  /** Returns the promise to wait for before the next block is added; undefined when none is in flight. */
  whenIdle(): Promise<unknown> | undefined {
    return this.#adding;
  }

  /** Stops everything; a block in flight is discarded. */
  close(): void {
    this.#isClosed = true;
    for (const stop of this.#stopListening) stop();
    this.#added?.discard('the node stops');
    this.#pendingAppend?.settle();
  }

  /** Appends to the block log. Returns undefined if its importer found the outcome first. */
  async #order(
    added: NewBlock,
    append: (block: SerializedBlock) => Promise<AppendOutcome>,
  ): Promise<AppendOutcome | undefined> {
    const block = added.serialized();
    const settled = new Promise<undefined>((resolve) => {
      this.#pendingAppend = { added, id: block.id, settle: () => resolve(undefined) };
    });
    try {
      return await Promise.race([append(block), settled]);
    } finally {
      this.#pendingAppend = undefined;
    }
  }

  /** Makes and stores a block that the log need not order. */
  #add(added: NewBlock): BlockSummary | Promise<BlockSummary> {
    const { time } = this.#options;
    const store = (): BlockSummary => added.store(time.now() + WRITE_SLICE_MS);
    const made = this.#options.backoff.run(added.making());
    const signed = made instanceof Promise ? made.then(() => added.sign()) : added.sign();
    if (signed === undefined) return store();
    const stored = signed.then(store);
    this.#added = added;
    const adding = stored
      .catch(() => undefined)
      .finally(() => {
        if (this.#adding === adding) this.#adding = undefined;
      });
    this.#adding = adding;
    return stored;
  }

  async #refresh(): Promise<void> {
    this.#refreshMs = 0;
    if (this.#isRefreshing || this.#isClosed) return;
    this.#isRefreshing = true;
    try {
      const { backoff, fork } = this.#options;
      const run = () => backoff.run(this.#refreshing(), WRITE_SLICE_MS);
      const refreshed = fork?.remote === undefined ? run() : withEntries(fork, run);
      // A synchronous refresh ends before the next block, which needs another one.
      if (refreshed instanceof Promise) await refreshed;
    } catch (error) {
      this.#options.onFailure(error);
    } finally {
      this.#isRefreshing = false;
    }
  }

  *#refreshing(): Generator<void, void, number> {
    while (this.#refreshUntil(yield));
  }

  #refreshUntil(until: number): boolean {
    const { ledger, time, intervalMs } = this.#options;
    if (this.#isClosed) return false;
    const began = time.now();
    const isMore = ledger.pool.refreshPending(until);
    this.#refreshMs += time.now() - began;
    return isMore && this.#refreshMs < intervalMs * PENDING_TIME_SHARE;
  }
}
