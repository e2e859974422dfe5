import { BlockRejectedError, RefusedError } from '../../ledger/index.ts';
import { type Block, type BlockId, blockId, equalBytes } from '../../protocol/index.ts';
import { sleep, yieldToEventLoop } from '../../time/time.ts';
import { BLOCK_AHEAD_SECONDS_MAX } from '../clock-watch.ts';
import { FollowError } from '../following/block-source.ts';
import { decodeBlock } from '../following/received-block.ts';
import { BLOCK_FEED_BYTES_MAX } from '../stored-block-feed.ts';
import {
  BLOCK_LOG_RETRY_MS,
  BlockLogUnavailableError,
  BlockLogUnsoundError,
  type ClusterNode,
} from './block-log.ts';
import type { BlockLogHealth } from './block-log-health.ts';

/** Milliseconds between two requests for the head of a block log: an interval, in this range. */
const BLOCK_LOG_POLL_MS_MIN = 250;
const BLOCK_LOG_POLL_MS_MAX = 2_000;
/** Milliseconds without a known block of the block log after which it is read again. */
const BLOCK_LOG_STALL_MS_MAX = 3_000;
/** Blocks of a block log that are prefetched, and their bytes (8 MiB). */
export const BLOCK_LOG_AHEAD_BLOCKS_MAX = 1_024;
export const BLOCK_LOG_AHEAD_BYTES_MAX = 8 * 1024 * 1024;
/** Blocks of a block log that are decoded and added in one batch. */
const BLOCK_LOG_BATCH_BLOCKS_MAX = 128;

interface ImportListeners {
  /** Called with the time of another producer's block that the log did not have at the last query. */
  onNew(timestamp: number): void;
  /** Called when this node has all blocks that the log had at the last query, after doubt. */
  onCurrent(): void;
}

/**
 * Imports the blocks of a block log from the head on, each with every check, and compares the head with the log. The
 * store is never ahead of the log: if they differ, the node halts.
 */
export class BlockLogImporter {
  readonly #node: ClusterNode;
  readonly #health: BlockLogHealth;
  readonly #listeners: ImportListeners;
  readonly #closing = new AbortController();
  readonly #pollMs: number;
  #running: readonly Promise<void>[] = [];
  #stream = new AbortController();
  #pause = new AbortController();
  #isCurrent = false;
  /** Head of the log at the last query since the last doubt. */
  #confirmedHead: number | undefined;
  /** Arrival of the newest block, or the beginning of the stream. */
  #arrivedAt = 0;
  #isImporting = false;
  /** The block after the one that is being added, decoded before its turn. */
  #next: { readonly bytes: Uint8Array; readonly block: Block } | undefined;

  constructor(node: ClusterNode, health: BlockLogHealth, listeners: ImportListeners) {
    this.#node = node;
    this.#health = health;
    this.#listeners = listeners;
    this.#pollMs = Math.min(Math.max(node.intervalMs, BLOCK_LOG_POLL_MS_MIN), BLOCK_LOG_POLL_MS_MAX);
  }

  /** True if this node had all blocks of the log at the last query, without doubt since. */
  get isCurrent(): boolean {
    return this.#isCurrent && !this.#isOver();
  }

  start(): void {
    this.#running = [this.#pollHead(), this.#readBlocks()];
  }

  /** Declares the head of the log unknown, and queries it at once. */
  doubt(): void {
    this.#isCurrent = false;
    this.#confirmedHead = undefined;
    this.#pause.abort();
  }

  /** Stops reading, and waits for a block that is being stored. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#pause.abort();
    this.#stream.abort();
    await Promise.all(this.#running);
  }

  #isOver(): boolean {
    return this.#closing.signal.aborted || this.#health.isHalting;
  }

  async #pollHead(): Promise<void> {
    const { time } = this.#node;
    while (!this.#isOver()) {
      this.#pause = new AbortController();
      const isConfirmed = await this.#queryHead();
      if (!this.#isOver())
        await sleep(time, isConfirmed ? this.#pollMs : BLOCK_LOG_RETRY_MS, this.#pause.signal);
    }
  }

  async #queryHead(): Promise<boolean> {
    const { log, time } = this.#node;
    // A block that is stored meanwhile may be newer than the response.
    const here = this.#head();
    const { signal } = this.#pause;
    try {
      const head = await log.head();
      if (this.#isOver()) return true;
      this.#health.recordHead(head);
      if (head < here) throw shorterLog(head, here);
      // A query from before the doubt does not resolve it.
      if (!signal.aborted) this.#confirmedHead = head;
      this.#noteProgress();
      const isStalled = head > this.#head() && !this.#isImporting && !this.#node.isPaused();
      if (isStalled && time.now() - this.#arrivedAt > BLOCK_LOG_STALL_MS_MAX) this.#stream.abort();
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  async #readBlocks(): Promise<void> {
    const { time } = this.#node;
    while (!this.#isOver()) {
      this.#stream = new AbortController();
      this.#arrivedAt = time.now();
      try {
        await this.#read(this.#stream.signal);
      } catch (error) {
        if (this.#isOver()) return;
        if (error instanceof BlockLogUnavailableError || error instanceof BlockLogUnsoundError)
          this.#fail(error);
        else this.#report(error);
      }
      if (!this.#health.isHalting) await sleep(time, BLOCK_LOG_RETRY_MS, this.#closing.signal);
    }
  }

  /** Reads from the newest block of the store on, which must be the log's. */
  async #read(stop: AbortSignal): Promise<void> {
    const { log, time } = this.#node;
    let number = Math.max(1, this.#head());
    for await (const blocks of readAhead((left) => log.read(number, left), stop)) {
      for (let rest = blocks; rest.length > 0; ) {
        if (stop.aborted || this.#isOver()) return;
        this.#arrivedAt = time.now();
        this.#isImporting = true;
        let imported: number;
        try {
          imported = await this.#importSome(rest, number);
        } finally {
          this.#isImporting = false;
        }
        number += imported;
        rest = rest.slice(imported);
        // Blocks were reverted here: the stream restarts.
        if (number > this.#head() + 1) return;
        await yieldToEventLoop(time);
      }
    }
  }

  /** Adds one or more of the blocks that the log has from a number on. Returns their count. */
  async #importSome(blocks: readonly Uint8Array[], number: number): Promise<number> {
    const [first = new Uint8Array()] = blocks;
    const block = await this.#decode(first, number);
    if (blocks.length > 1 && number === this.#head() + 1 && block.transactions.length === 0) {
      const added = await this.#importEmpty(block, blocks.slice(1, BLOCK_LOG_BATCH_BLOCKS_MAX), number);
      if (added > 0) return added;
    }
    await this.#importBlock(block, number, await this.#decodeNext(blocks[1], number + 1));
    return 1;
  }

  /** Decodes the next block, so that its signatures are checked early; undefined for none and for a large one. */
  async #decodeNext(bytes: Uint8Array | undefined, number: number): Promise<Block | undefined> {
    this.#next = undefined;
    if (bytes === undefined || bytes.length > BLOCK_FEED_BYTES_MAX) return undefined;
    try {
      this.#next = { bytes, block: await this.#decode(bytes, number) };
    } catch (error) {
      // Reported when it is its turn.
      if (!(error instanceof BlockLogUnsoundError)) throw error;
    }
    return this.#next?.block;
  }

  /**
   * Adds consecutive blocks without transactions in one commit, while a node catches up. Returns their count; 0 on
   * failure, whose reason the import of each block alone shows.
   */
  async #importEmpty(first: Block, others: readonly Uint8Array[], number: number): Promise<number> {
    const { isPaused, pipeline } = this.#node;
    try {
      const blocks = [first];
      for (const bytes of others) {
        const block = await this.#decode(bytes, number + blocks.length);
        if (block.transactions.length > 0 || this.#isTooEarly(block)) break;
        blocks.push(block);
      }
      // Another block may have been added meanwhile.
      if (number !== this.#head() + 1 || isPaused() || this.#isTooEarly(first)) return 0;
      for (const [index, block] of blocks.entries()) this.#noteNew(block, number + index);
      const added = await pipeline.importBatch(blocks);
      this.#noteProgress();
      return added;
    } catch {
      return 0;
    }
  }

  async #importBlock(block: Block, number: number, next: Block | undefined): Promise<void> {
    const { time, isPaused } = this.#node;
    this.#noteNew(block, number);
    const { transactions: _transactions, ...header } = block;
    const id = blockId(number, header);
    while (!this.#isOver()) {
      const isDone =
        !isPaused() && !this.#isTooEarly(block) && (await this.#tryToAdd(block, id, number, next));
      this.#noteProgress();
      if (isDone) return;
      await sleep(time, BLOCK_LOG_RETRY_MS, this.#closing.signal);
    }
  }

  /** Records a new block of the log. A block that the store has proves nothing about the end of the log. */
  #noteNew({ timestamp }: Block, number: number): void {
    if (number <= this.#head()) return;
    this.#health.recordHead(number);
    if (this.#confirmedHead !== undefined && number > this.#confirmedHead) this.#listeners.onNew(timestamp);
  }

  async #tryToAdd(block: Block, id: BlockId, number: number, next: Block | undefined): Promise<boolean> {
    const { pipeline } = this.#node;
    try {
      for (let adding = pipeline.whenIdle(); adding !== undefined; adding = pipeline.whenIdle()) await adding;
      if (number <= this.#head()) this.#requireSame(id, number);
      else await pipeline.importOrdered(block, id, () => next);
      return true;
    } catch (error) {
      if (error instanceof BlockRejectedError)
        throw new BlockLogUnsoundError(error.message, { cause: error });
      if (error instanceof BlockLogUnsoundError) throw error;
      // A pause of writes is reported elsewhere.
      if (!(error instanceof RefusedError)) this.#report(error);
      return false;
    }
  }

  #requireSame(id: BlockId, number: number): void {
    const own = this.#node.ledger.blocks.blockByNumber(number);
    if (own !== undefined && equalBytes(own.id, id)) return;
    throw new BlockLogUnsoundError(
      `block ${number} of this store differs from that of the block log. Nothing is reverted automatically: find out ` +
        'which blocks are right. If the log is wrong, stop all nodes, recreate it from a store with the right blocks ' +
        'by "ledgerd block-log seed", and start them; if this store is wrong, start the node with an empty one',
    );
  }

  async #decode(bytes: Uint8Array, number: number): Promise<Block> {
    if (this.#next?.bytes === bytes) return this.#next.block;
    try {
      const block = await decodeBlock(bytes, this.#node.time);
      if (block.round === BigInt(number)) return block;
      throw new BlockLogUnsoundError(`it has block ${block.round} at the position of block ${number}`);
    } catch (cause) {
      if (!(cause instanceof FollowError || cause instanceof BlockRejectedError)) throw cause;
      throw new BlockLogUnsoundError(`its block ${number} cannot be read: ${cause.message}`, { cause });
    }
  }

  /** Returns true for a block ahead of this machine's clock. It is added once the clock has reached it. */
  #isTooEarly({ timestamp }: Block): boolean {
    return timestamp - this.#node.ledger.clock.now() > BLOCK_AHEAD_SECONDS_MAX;
  }

  #noteProgress(): void {
    if (this.#isCurrent || this.#isOver()) return;
    if (this.#confirmedHead === undefined || this.#head() < this.#confirmedHead) return;
    this.#isCurrent = true;
    this.#listeners.onCurrent();
  }

  #fail(error: unknown): void {
    if (this.#isOver()) return;
    this.#isCurrent = false;
    this.#confirmedHead = undefined;
    if (error instanceof BlockLogUnsoundError) this.#health.halt(error.message);
    else if (error instanceof BlockLogUnavailableError) this.#health.recordFailure(error.message);
    else this.#report(error);
  }

  #report(error: unknown): void {
    this.#node.onFailure('the block log', error);
  }

  #head(): number {
    return this.#node.ledger.blocks.head().number;
  }
}

function shorterLog(head: number, here: number): BlockLogUnsoundError {
  return new BlockLogUnsoundError(
    `this store has block ${here}, and the block log ends at block ${head}: it lost its end, or is another log. ` +
      'Nothing is reverted automatically: stop all nodes, recreate the log from the store with the most blocks by ' +
      '"ledgerd block-log seed", and start them',
  );
}

/**
 * Prefetches a stream of blocks within a bound, and ends the stream when the reader leaves. Yields all blocks that
 * arrived since the last time, in order: at least one. Throws the stream's error after them.
 * @param open returns a stream that ends once its signal is aborted
 */
export async function* readAhead(
  open: (stop: AbortSignal) => AsyncIterable<Uint8Array>,
  stop: AbortSignal,
): AsyncGenerator<readonly Uint8Array[], void, undefined> {
  const left = new AbortController();
  let blocks: Uint8Array[] = [];
  let bytes = 0;
  let end: { readonly failure?: unknown } | undefined;
  // Only one side waits at a time: the reader for blocks, or the prefetch for capacity.
  let wake = (): void => undefined;
  const change = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });
  const leave = (): void => {
    left.abort();
    wake();
  };
  const isFull = (): boolean =>
    blocks.length >= BLOCK_LOG_AHEAD_BLOCKS_MAX || bytes >= BLOCK_LOG_AHEAD_BYTES_MAX;
  const readAll = async (): Promise<void> => {
    try {
      for await (const block of open(left.signal)) {
        blocks.push(block);
        bytes += block.length;
        wake();
        while (isFull() && !left.signal.aborted) await change();
        if (left.signal.aborted) break;
      }
      end = {};
    } catch (failure) {
      end = { failure };
    }
    wake();
  };
  stop.addEventListener('abort', leave);
  if (stop.aborted) leave();
  const reading = readAll();
  try {
    for (;;) {
      while (blocks.length === 0 && end === undefined) await change();
      if (blocks.length === 0) break;
      const taken = blocks;
      blocks = [];
      bytes = 0;
      wake();
      yield taken;
    }
    if (end !== undefined && 'failure' in end) throw end.failure;
  } finally {
    stop.removeEventListener('abort', leave);
    leave();
    await reading;
  }
}
