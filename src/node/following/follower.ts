import { BlockRejectedError, type Ledger, RefusedError } from '../../ledger/index.ts';
import {
  type Block,
  type BlockId,
  blockId,
  equalBytes,
  type SignedBlockHeader,
} from '../../protocol/index.ts';
import type { SyncStatus } from '../../rpc/index.ts';
import { sleep, type Time, yieldToEventLoop } from '../../time/time.ts';
import type { BlockPipeline } from '../block-pipeline.ts';
import { BLOCK_AHEAD_SECONDS_MAX } from '../clock-watch.ts';
import type { NodeNotice } from '../notices.ts';
import { type BlockSource, FollowError } from './block-source.ts';
import { decodeAhead } from './decode-ahead.ts';
import { FOLLOW_RETRY_MS_MAX, FOLLOW_RETRY_MS_MIN, FollowedNode } from './followed-node.ts';
import { decodeHeader } from './received-block.ts';

/** Milliseconds between two polls of a followed node without a new block: a quarter of the interval, in this range. */
const FOLLOW_POLL_MS_MIN = 50;
const FOLLOW_POLL_MS_MAX = 1_000;
/** Milliseconds without a response of any followed node after which a follower's health fails. */
const FOLLOW_SILENCE_MS_MAX = 30_000;

export interface FollowerOptions {
  readonly ledger: Pick<Ledger, 'blocks' | 'history'> & { readonly clock: Pick<Ledger['clock'], 'now'> };
  readonly pipeline: Pick<BlockPipeline, 'importBlock' | 'whenIdle'>;
  /** Checks the header of the next block. Throws the errors of the ledger's `checkNextHeader`, and FollowError. */
  checkHeader(header: SignedBlockHeader): void;
  readonly sources: readonly BlockSource[];
  readonly time: Time;
  readonly intervalMs: number;
  isPaused(): boolean;
  onNotice(notice: NodeNotice): void;
  onFailure(error: unknown): void;
}

/**
 * Polls other nodes and adds their blocks, each with every check. A node that sends a block of another chain is
 * excluded.
 */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #nodes: readonly FollowedNode[];
  readonly #pollMs: number;
  readonly #closing = new AbortController();
  #running: readonly Promise<void>[] = [];
  /** Moment of the last response of a followed node, or of the last pause. */
  #respondedAt: number;
  /** The head when this node fell behind. */
  #startingBlock = 0;
  #isCatchingUp = false;
  #reorgs = 0;
  #stopListening: (() => void) | undefined;

  constructor(options: FollowerOptions) {
    this.#options = options;
    const { sources, time, intervalMs } = options;
    this.#respondedAt = time.now();
    this.#pollMs = Math.min(Math.max(intervalMs / 4, FOLLOW_POLL_MS_MIN), FOLLOW_POLL_MS_MAX);
    this.#nodes = sources.map((source) => new FollowedNode(source, intervalMs, time));
  }

  start(): void {
    this.#respondedAt = this.#options.time.now();
    this.#stopListening = this.#options.ledger.history.onReorg(() => this.#restart());
    this.#running = this.#nodes.map((node) => this.#follow(node));
  }

  /** Returns the number of followed nodes that responded to the last poll. */
  peerCount(): number {
    return this.#nodes.filter(({ state }) => state === 'responding').length;
  }

  /** Returns the progress of catching up, while another node sends newer blocks. */
  syncing(): SyncStatus | undefined {
    const currentBlock = this.#head();
    const highestBlock = this.#highest();
    if (currentBlock >= highestBlock) return undefined;
    return { startingBlock: Math.min(this.#startingBlock, currentBlock), currentBlock, highestBlock };
  }

  /**
   * Returns true if the head may be the newest: every followed node was heard once, and none is ahead. Otherwise a
   * producer could make a second block of one number, and split the chain.
   * @param withoutHearing true if nodes need not have been heard
   */
  isUpToDate(withoutHearing = false): boolean {
    const isHeard = withoutHearing || this.#nodes.every((node) => node.isHeard);
    return isHeard && this.#head() >= this.#highest();
  }

  unheard(): readonly { readonly url: string; readonly reason: string }[] {
    return this.#nodes.filter(({ isHeard, state }) => !isHeard && state === 'silent');
  }

  problems(): string[] {
    const problems: string[] = [];
    const rejected = this.#nodes.filter(({ state }) => state === 'rejected');
    if (rejected.length > 0) {
      const reasons = rejected.map(({ url, reason }) => `${url}: ${reason}`).join('; ');
      const count = `${rejected.length} of ${this.#nodes.length}`;
      problems.push(`${count} followed nodes sent blocks that are not of this chain: ${reasons}`);
    }
    const silence = this.#options.time.now() - this.#respondedAt;
    if (rejected.length < this.#nodes.length && silence > FOLLOW_SILENCE_MS_MAX) {
      problems.push(`no followed node has responded for ${Math.floor(silence / 1_000)} s`);
    }
    return problems;
  }

  /** Describes followed nodes of the same chain that have fewer blocks than this node. */
  warnings(): string[] {
    return this.#nodes
      .filter(({ behind }) => behind > 0)
      .map(({ url, behind }) => `the followed node ${url} is ${behind} blocks behind this one`);
  }

  /** Stops polling, and waits for a block that is being stored. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#stopListening?.();
    for (const node of this.#nodes) node.abort();
    await Promise.all(this.#running);
  }

  /** Restarts all polls from the new head after a revert. */
  #restart(): void {
    this.#reorgs += 1;
    for (const node of this.#nodes) node.abort();
  }

  async #follow(node: FollowedNode): Promise<void> {
    while (!this.#closing.signal.aborted && node.state !== 'rejected') {
      const isPaused = this.#options.isPaused();
      // While no block can be stored, no node is considered silent.
      if (isPaused) this.#respondedAt = this.#options.time.now();
      const waitMs = isPaused ? this.#pollMs : await this.#poll(node);
      if (waitMs > 0) await sleep(this.#options.time, waitMs, this.#closing.signal);
    }
  }

  /** Polls a node and adds its blocks. Returns the milliseconds until the next poll. */
  async #poll(node: FollowedNode): Promise<number> {
    if (!this.#isCatchingUp) this.#startingBlock = this.#head();
    const { time, pipeline, onNotice } = this.#options;
    const reorgs = this.#reorgs;
    const { contradicting } = node;
    let next = Math.min(contradicting ?? Number.POSITIVE_INFINITY, this.#head() + 1);
    try {
      let previous: SignedBlockHeader | undefined;
      const { head, headId, blocks } = await node.fetch(next, (bytes) => {
        const header = decodeHeader(bytes);
        this.#checkHeader(header, previous === undefined ? next : Number(previous.round) + 1, previous);
        previous = header;
        this.#recordResponse(node, head);
      });
      const check = (bytes: Uint8Array): void => this.#checkHeader(decodeHeader(bytes), next);
      for await (const { block, following } of decodeAhead(blocks, check, () => node.abort(), time)) {
        for (let last = pipeline.whenIdle(); last !== undefined; last = pipeline.whenIdle()) await last;
        const adding = this.#import(block, following);
        // A block that is added synchronously is recorded synchronously, so that no reader sees one without the other.
        if (adding instanceof Promise) await adding;
        node.recordBlock(head, this.#head());
        next += 1;
        await yieldToEventLoop(time);
        if (this.#closing.signal.aborted || reorgs !== this.#reorgs) return 0;
      }
      if (this.#isContradicted(head, headId)) {
        if (contradicting !== undefined)
          throw new FollowError(`its block ${head} does not have the id that it reported for its head`);
        node.contradicting = head;
        return 0;
      }
      this.#recordResponse(node, head);
      node.recordReached(head, this.#head());
      node.recordEnd();
      const behind = this.#head() - head;
      if (node.recordBehind(behind)) onNotice({ kind: 'followedBehind', url: node.url, head, behind });
      this.#reportProgress();
      return this.#head() < head ? 0 : this.#pollMs;
    } catch (error) {
      // After a revert the requested blocks do not follow the head.
      const isOver = this.#closing.signal.aborted || reorgs !== this.#reorgs;
      return isOver ? 0 : this.#handle(node, error);
    }
  }

  /** Handles a failed poll. Returns the milliseconds until the next one. */
  #handle(node: FollowedNode, error: unknown): number {
    const { intervalMs, onNotice, onFailure } = this.#options;
    const { url } = node;
    if (error instanceof BlockRejectedError) {
      node.reject(error.message);
      onNotice({ kind: 'followedRejected', url, reason: error.message });
      return 0;
    }
    if (error instanceof FollowError) {
      const { waitMs, isNews } = node.recordFailure(error.message);
      if (isNews) onNotice({ kind: 'followedSilent', url, reason: error.message });
      return waitMs;
    }
    // A pause of writes is reported elsewhere.
    if (!(error instanceof RefusedError)) onFailure(error);
    return Math.min(Math.max(intervalMs, FOLLOW_RETRY_MS_MIN), FOLLOW_RETRY_MS_MAX);
  }

  #isContradicted(head: number, headId: BlockId | undefined): boolean {
    const own = this.#options.ledger.blocks.blockByNumber(head);
    return headId !== undefined && own !== undefined && !equalBytes(own.id, headId);
  }

  #recordResponse(node: FollowedNode, head: number): void {
    this.#respondedAt = this.#options.time.now();
    if (node.recordResponse()) this.#options.onNotice({ kind: 'followedAnswers', url: node.url, head });
  }

  /**
   * Checks the header of a block that was requested by number, before the block is read, and again before it is added.
   * @param previous the one before it: until that is added, only the link to it is checked
   */
  #checkHeader(header: SignedBlockHeader, number: number, previous?: SignedBlockHeader): void {
    const { ledger, checkHeader } = this.#options;
    const head = this.#head();
    const isHere = header.round <= BigInt(head);
    if (isHere) this.#requireOwn(header);
    if (header.round !== BigInt(number)) {
      throw new FollowError(`it sent block ${header.round} instead of block ${number}`);
    }
    if (isHere) return;
    if (previous === undefined || number === head + 1) checkHeader(header);
    else if (!equalBytes(header.previous, blockId(number - 1, previous))) {
      throw new BlockRejectedError(header.round, 'previous', 'it is not the id of the block sent before it');
    }
    const ahead = header.timestamp - ledger.clock.now();
    if (ahead <= BLOCK_AHEAD_SECONDS_MAX) return;
    throw new FollowError(
      `the time of its block ${number} is ${ahead} s ahead of this machine's clock, and may be ` +
        `${BLOCK_AHEAD_SECONDS_MAX} s ahead of it`,
    );
  }

  /** Adds a block, or begins to, unless it was added meanwhile. */
  #import(block: Block, following: () => Block | undefined): unknown {
    if (block.round > BigInt(this.#head())) return this.#options.pipeline.importBlock(block, following);
    const { transactions: _transactions, ...header } = block;
    this.#requireOwn(header);
    return undefined;
  }

  /** @throws BlockRejectedError unless this node's block of that number is the same */
  #requireOwn(header: SignedBlockHeader): void {
    const number = Number(header.round);
    const own = this.#options.ledger.blocks.blockByNumber(number);
    if (own !== undefined && equalBytes(own.id, blockId(number, header))) return;
    throw new BlockRejectedError(
      header.round,
      'id',
      'this node has another block of this number; one of the two chains was rolled back or split',
    );
  }

  #reportProgress(): void {
    const { onNotice } = this.#options;
    const head = this.#head();
    const highest = this.#highest();
    if (head < highest === this.#isCatchingUp) return;
    this.#isCatchingUp = head < highest;
    onNotice(this.#isCatchingUp ? { kind: 'catchingUp', head, highest } : { kind: 'caughtUp', head });
  }

  #head(): number {
    return this.#options.ledger.blocks.head().number;
  }

  #highest(): number {
    return Math.max(0, ...this.#nodes.map((node) => node.head()));
  }
}
