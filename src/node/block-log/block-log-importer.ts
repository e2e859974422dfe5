import { BlockRejectedError, RefusedError } from '../../ledger/index.ts';
import {
  BLOCK_AHEAD_SECONDS_MAX,
  BLOCK_LOG_AHEAD_BLOCKS_MAX,
  BLOCK_LOG_AHEAD_BYTES_MAX,
  BLOCK_LOG_BATCH_BLOCKS_MAX,
  BLOCK_LOG_POLL_MS_MAX,
  BLOCK_LOG_POLL_MS_MIN,
  BLOCK_LOG_RETRY_MS,
  BLOCK_LOG_STALL_MS_MAX,
} from '../../limits.ts';
import { type Block, type BlockId, blockId, equalBytes } from '../../protocol/index.ts';
import { sleep, yieldToEventLoop } from '../../time.ts';
import { FollowError } from '../following/block-source.ts';
import { decodeBlock } from '../following/received-block.ts';
import { BlockLogUnavailableError, BlockLogUnsoundError } from './block-log.ts';
import type { BlockLogHealth } from './block-log-health.ts';
import type { ClusterNode } from './block-log-source.ts';

interface ReadingListeners {
  /** Called with the time of a new block of another producer, which the log did not have at the last query. */
  onNew(timestamp: number): void;
  /** Called when this node has all that the log had at the last query, after doubt. */
  onCurrent(): void;
}

/**
 * Reads a log of blocks from the head on, adds its blocks, each checked as every block is, and compares the head with
 * the log: the store is never ahead of it. Where they differ the node halts.
 */
export class BlockLogImporter {
  readonly #node: ClusterNode;
  readonly #watch: BlockLogHealth;
  readonly #listeners: ReadingListeners;
  readonly #closing = new AbortController();
  readonly #pollMs: number;
  #running: readonly Promise<void>[] = [];
  #stream = new AbortController();
  #pause = new AbortController();
  #isCurrent = false;
  /** The head of the log at the last query, since the last doubt. */
  #sureHead: number | undefined;
  /** Moment of the newest block, or of the beginning of the stream. */
  #cameAt = 0;
  #isTaking = false;

  constructor(node: ClusterNode, watch: BlockLogHealth, listeners: ReadingListeners) {
    this.#node = node;
    this.#watch = watch;
    this.#listeners = listeners;
    this.#pollMs = Math.min(Math.max(node.intervalMs, BLOCK_LOG_POLL_MS_MIN), BLOCK_LOG_POLL_MS_MAX);
  }

  /** True if this node had all that the log has at the last query, without doubt since. */
  get isCurrent(): boolean {
    return this.#isCurrent && !this.#isOver();
  }

  start(): void {
    this.#running = [this.#keepAsking(), this.#keepReading()];
  }

  /** Declares the head of the log unknown: it is queried at once. */
  doubt(): void {
    this.#isCurrent = false;
    this.#sureHead = undefined;
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
    return this.#closing.signal.aborted || this.#watch.isHalting;
  }

  async #keepAsking(): Promise<void> {
    const { time } = this.#node;
    while (!this.#isOver()) {
      this.#pause = new AbortController();
      const isAnswered = await this.#ask();
      if (!this.#isOver())
        await sleep(time, isAnswered ? this.#pollMs : BLOCK_LOG_RETRY_MS, this.#pause.signal);
    }
  }

  async #ask(): Promise<boolean> {
    const { log, time } = this.#node;
    // A block that is stored meanwhile may be newer than the answer.
    const here = this.#head();
    const { signal } = this.#pause;
    try {
      const head = await log.head();
      if (this.#isOver()) return true;
      this.#watch.answered(head);
      if (head < here) throw aheadOf(here, head);
      // A query from before the doubt does not resolve it.
      if (!signal.aborted) this.#sureHead = head;
      this.#noteProgress();
      const isStalled = head > this.#head() && !this.#isTaking && !this.#node.isPaused();
      if (isStalled && time.now() - this.#cameAt > BLOCK_LOG_STALL_MS_MAX) this.#stream.abort();
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  async #keepReading(): Promise<void> {
    const { time } = this.#node;
    while (!this.#isOver()) {
      this.#stream = new AbortController();
      this.#cameAt = time.now();
      try {
        await this.#read(this.#stream.signal);
      } catch (error) {
        if (this.#isOver()) return;
        if (error instanceof BlockLogUnavailableError || error instanceof BlockLogUnsoundError)
          this.#fail(error);
        else this.#report(error);
      }
      if (!this.#watch.isHalting) await sleep(time, BLOCK_LOG_RETRY_MS, this.#closing.signal);
    }
  }

  /** Reads from the newest block here on, which has to be the log's. */
  async #read(stop: AbortSignal): Promise<void> {
    const { log, time } = this.#node;
    let number = Math.max(1, this.#head());
    for await (const blocks of readAhead((left) => log.read(number, left), stop)) {
      for (let rest = blocks; rest.length > 0; ) {
        if (stop.aborted || this.#isOver()) return;
        this.#cameAt = time.now();
        this.#isTaking = true;
        let taken: number;
        try {
          taken = await this.#takeSome(rest, number);
        } finally {
          this.#isTaking = false;
        }
        number += taken;
        rest = rest.slice(taken);
        // Blocks were reverted here: the stream restarts.
        if (number > this.#head() + 1) return;
        await yieldToEventLoop(time);
      }
    }
  }

  /** Adds the first one or more of some blocks that the log has from a number on; returns how many. */
  async #takeSome(blocks: readonly Uint8Array[], number: number): Promise<number> {
    const [first = new Uint8Array()] = blocks;
    const block = await this.#decode(first, number);
    if (blocks.length > 1 && number === this.#head() + 1 && block.transactions.length === 0) {
      const added = await this.#takeEmpty(block, blocks.slice(1, BLOCK_LOG_BATCH_BLOCKS_MAX), number);
      if (added > 0) return added;
    }
    await this.#take(block, number);
    return 1;
  }

  /**
   * Adds a block without transactions and those like it that follow in one commit, while a node catches up. Returns 0
   * where that fails: each alone then shows why.
   */
  async #takeEmpty(first: Block, others: readonly Uint8Array[], number: number): Promise<number> {
    const { isPaused, work } = this.#node;
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
      const added = await work.importTogether(blocks);
      this.#noteProgress();
      return added;
    } catch {
      return 0;
    }
  }

  async #take(block: Block, number: number): Promise<void> {
    const { time, isPaused } = this.#node;
    this.#noteNew(block, number);
    const { transactions: _transactions, ...header } = block;
    const id = blockId(number, header);
    while (!this.#isOver()) {
      const isDone = !isPaused() && !this.#isTooEarly(block) && (await this.#tryToAdd(block, id, number));
      this.#noteProgress();
      if (isDone) return;
      await sleep(time, BLOCK_LOG_RETRY_MS, this.#closing.signal);
    }
  }

  /** Records a block of the log. That a replica still has the blocks here proves nothing about its end. */
  #noteNew({ timestamp }: Block, number: number): void {
    if (number <= this.#head()) return;
    this.#watch.answered(number);
    if (this.#sureHead !== undefined && number > this.#sureHead) this.#listeners.onNew(timestamp);
  }

  async #tryToAdd(block: Block, id: BlockId, number: number): Promise<boolean> {
    const { work } = this.#node;
    try {
      for (let adding = work.whenIdle(); adding !== undefined; adding = work.whenIdle()) await adding;
      if (number <= this.#head()) this.#requireSame(id, number);
      else await work.importOrdered(block, id);
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
      `the store here has another block ${number} than the log. Nothing is taken back by itself: find out whose ` +
        'blocks are right. Where the log is wrong, stop all nodes, make it again from a store that has those by ' +
        '"ledgerd log seed", and start them; where this store is wrong, begin with an empty one',
    );
  }

  async #decode(bytes: Uint8Array, number: number): Promise<Block> {
    try {
      const block = await decodeBlock(bytes, this.#node.time);
      if (block.round === BigInt(number)) return block;
      throw new BlockLogUnsoundError(`it has block ${block.round} in the place of block ${number}`);
    } catch (cause) {
      if (!(cause instanceof FollowError || cause instanceof BlockRejectedError)) throw cause;
      throw new BlockLogUnsoundError(`its block ${number} cannot be read: ${cause.message}`, { cause });
    }
  }

  /**
   * Returns true for a sound block that is ahead of this machine's clock: it waits until one of the clocks is right.
   */
  #isTooEarly({ timestamp }: Block): boolean {
    return timestamp - this.#node.ledger.clock.now() > BLOCK_AHEAD_SECONDS_MAX;
  }

  #noteProgress(): void {
    if (this.#isCurrent || this.#isOver()) return;
    if (this.#sureHead === undefined || this.#head() < this.#sureHead) return;
    this.#isCurrent = true;
    this.#listeners.onCurrent();
  }

  #fail(error: unknown): void {
    if (this.#isOver()) return;
    this.#isCurrent = false;
    this.#sureHead = undefined;
    if (error instanceof BlockLogUnsoundError) this.#watch.halt(error.message);
    else if (error instanceof BlockLogUnavailableError) this.#watch.failed(error.message);
    else this.#report(error);
  }

  #report(error: unknown): void {
    this.#node.onFailure('the log of blocks', error);
  }

  #head(): number {
    return this.#node.ledger.blocks.head().number;
  }
}

function aheadOf(here: number, head: number): BlockLogUnsoundError {
  return new BlockLogUnsoundError(
    `the store here has block ${here}, and the log ends at block ${head}: it has lost its end, or is another one. ` +
      'Nothing is taken back by itself: stop all nodes, make the log again from the store that has most blocks by ' +
      '"ledgerd log seed", and start them',
  );
}

/**
 * Reads a stream of blocks ahead of its reader, within a bound, and ends the stream when the reader leaves. Yields all
 * blocks that arrived since the last time, in order: at least one. Throws what the stream throws, after these.
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
  // Only one side waits at a time: there are blocks, or there is room.
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
