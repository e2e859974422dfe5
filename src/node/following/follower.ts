import { BlockRejectedError, type Ledger, RefusedError } from '../../ledger/index.ts';
import {
  BLOCK_AHEAD_SECONDS_MAX,
  FOLLOW_POLL_MS_MAX,
  FOLLOW_POLL_MS_MIN,
  FOLLOW_RETRY_MS_MAX,
  FOLLOW_RETRY_MS_MIN,
  FOLLOW_SILENCE_MS_MAX,
} from '../../limits.ts';
import {
  type Block,
  type BlockId,
  blockId,
  equalBytes,
  type SignedBlockHeader,
} from '../../protocol/index.ts';
import type { SyncStatus } from '../../rpc/index.ts';
import { sleep, type Time, yieldToEventLoop } from '../../time.ts';
import type { BlockPipeline } from '../block-pipeline.ts';
import type { NodeNotice } from '../notices.ts';
import { type BlockSource, FollowError } from './block-source.ts';
import { FollowedNode } from './followed-node.ts';
import { decodeBlock, decodeHeader } from './received-block.ts';

/** The followed nodes, and the ledger that gets their blocks. */
export interface FollowerOptions {
  readonly ledger: Pick<Ledger, 'blocks' | 'history'> & { readonly clock: Pick<Ledger['clock'], 'now'> };
  readonly pipeline: Pick<BlockPipeline, 'importBlock' | 'whenIdle'>;
  /** Checks the header of the next block. Throws what the ledger's `checkNextHeader` throws, and FollowError. */
  checkHeader(header: SignedBlockHeader): void;
  readonly sources: readonly BlockSource[];
  readonly time: Time;
  readonly intervalMs: number;
  isPaused(): boolean;
  onNotice(notice: NodeNotice): void;
  onFailure(error: unknown): void;
}

/**
 * Adds the blocks of other nodes. Each node is polled; its blocks are checked as every block is, and a node that sends
 * a block of another chain is excluded.
 */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #nodes: readonly FollowedNode[];
  readonly #pollMs: number;
  readonly #closing = new AbortController();
  #running: readonly Promise<void>[] = [];
  /** Moment of the last answer of a followed node, or of the last pause. */
  #heardAt: number;
  /** The head when this node fell behind. */
  #startingBlock = 0;
  #isCatchingUp = false;
  #epoch = 0;
  #stopListening: (() => void) | undefined;

  constructor(options: FollowerOptions) {
    this.#options = options;
    const { sources, time, intervalMs } = options;
    this.#heardAt = time.now();
    this.#pollMs = Math.min(Math.max(intervalMs / 4, FOLLOW_POLL_MS_MIN), FOLLOW_POLL_MS_MAX);
    this.#nodes = sources.map((source) => new FollowedNode(source, intervalMs, time));
  }

  start(): void {
    this.#heardAt = this.#options.time.now();
    this.#stopListening = this.#options.ledger.history.onReorg(() => this.#beginAnew());
    this.#running = this.#nodes.map((node) => this.#follow(node));
  }

  /** Returns the number of followed nodes that answered the last poll. */
  peerCount(): number {
    return this.#nodes.filter(({ state }) => state === 'answers').length;
  }

  /** Returns the progress of the node, while another one sends it newer blocks. */
  syncing(): SyncStatus | undefined {
    const currentBlock = this.#head();
    const highestBlock = this.#highest();
    if (currentBlock >= highestBlock) return undefined;
    return { startingBlock: Math.min(this.#startingBlock, currentBlock), currentBlock, highestBlock };
  }

  /**
   * Returns true if the head may be the newest: every followed node was heard once, and none that sends blocks is
   * ahead. A producer that made a block before could else make another one of its number, and split the chain.
   * @param withoutHearing true if no node has to have been heard
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
    const rejectedNodes = this.#nodes.filter(({ state }) => state === 'rejected');
    const rejected = rejectedNodes.length;
    if (rejected > 0) {
      const reasons = rejectedNodes.map(({ url, reason }) => `${url}: ${reason}`).join('; ');
      problems.push(
        `${rejected} of ${this.#nodes.length} followed nodes sent blocks that are not of this chain: ${reasons}`,
      );
    }
    const silence = this.#options.time.now() - this.#heardAt;
    if (rejected < this.#nodes.length && silence > FOLLOW_SILENCE_MS_MAX) {
      problems.push(`no followed node has answered for ${Math.floor(silence / 1_000)} s`);
    }
    return problems;
  }

  /** Describes followed nodes of the same chain that have fewer blocks than this node. */
  warnings(): string[] {
    return this.#nodes
      .filter(({ behind }) => behind > 0)
      .map(({ url, behind }) => `the followed node ${url} is ${behind} blocks behind this one`);
  }

  /** Stops all polls, and waits for a block that is being stored. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#stopListening?.();
    for (const node of this.#nodes) node.abort();
    await Promise.all(this.#running);
  }

  /** Restarts all polls from the new head after a revert. */
  #beginAnew(): void {
    this.#epoch += 1;
    for (const node of this.#nodes) node.abort();
  }

  async #follow(node: FollowedNode): Promise<void> {
    while (!this.#closing.signal.aborted && node.state !== 'rejected') {
      const isPaused = this.#options.isPaused();
      // While no block can be stored, no node counts as silent.
      if (isPaused) this.#heardAt = this.#options.time.now();
      const waitMs = isPaused ? this.#pollMs : await this.#poll(node);
      if (waitMs > 0) await sleep(this.#options.time, waitMs, this.#closing.signal);
    }
  }

  /** Polls a node and adds its blocks. Returns the milliseconds until the next poll. */
  async #poll(node: FollowedNode): Promise<number> {
    if (!this.#isCatchingUp) this.#startingBlock = this.#head();
    const { time, pipeline, onNotice } = this.#options;
    const epoch = this.#epoch;
    const { contradicting } = node;
    let next = Math.min(contradicting ?? Number.POSITIVE_INFINITY, this.#head() + 1);
    try {
      const { head, headId, blocks } = await node.ask(next, (bytes) => {
        this.#checkHeader(decodeHeader(bytes), next);
        this.#hear(node, head);
      });
      for await (const bytes of blocks) {
        const block = await decodeBlock(bytes, time);
        for (let last = pipeline.whenIdle(); last !== undefined; last = pipeline.whenIdle()) await last;
        const adding = this.#import(block);
        // A block that is added synchronously is recorded synchronously, so that no reader sees one without the other.
        if (adding instanceof Promise) await adding;
        node.gave(head, this.#head());
        next += 1;
        await yieldToEventLoop(time);
        if (this.#closing.signal.aborted || epoch !== this.#epoch) return 0;
      }
      if (this.#isContradicted(head, headId)) {
        if (contradicting !== undefined)
          throw new FollowError(`it sent another block ${head} than the one whose id it names as its head`);
        node.contradicting = head;
        return 0;
      }
      this.#hear(node, head);
      node.reached(head, this.#head());
      node.ended();
      const behind = this.#head() - head;
      if (node.isNewlyBehind(behind)) onNotice({ kind: 'followedBehind', url: node.url, head, behind });
      this.#tellProgress();
      return this.#head() < head ? 0 : this.#pollMs;
    } catch (error) {
      // After a revert the blocks do not follow the head, which is no fault of the node.
      const isOver = this.#closing.signal.aborted || epoch !== this.#epoch;
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
      const { waitMs, isNews } = node.failed(error.message);
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

  #hear(node: FollowedNode, head: number): void {
    this.#heardAt = this.#options.time.now();
    if (node.answered()) this.#options.onNotice({ kind: 'followedAnswers', url: node.url, head });
  }

  /** Checks the header of a block that was requested by number, before the block is read. */
  #checkHeader(header: SignedBlockHeader, number: number): void {
    const { ledger, checkHeader } = this.#options;
    const isHere = header.round <= BigInt(this.#head());
    if (isHere) this.#requireOwn(header);
    if (header.round !== BigInt(number)) {
      throw new FollowError(`it sent block ${header.round} in the place of block ${number}`);
    }
    if (isHere) return;
    checkHeader(header);
    const ahead = header.timestamp - ledger.clock.now();
    if (ahead <= BLOCK_AHEAD_SECONDS_MAX) return;
    throw new FollowError(
      `the time of its block ${number} is ${ahead} s ahead of this machine's clock, and may be ` +
        `${BLOCK_AHEAD_SECONDS_MAX} s ahead of it`,
    );
  }

  /** Adds a block, or begins to, unless it was added meanwhile. */
  #import(block: Block): unknown {
    if (block.round > BigInt(this.#head())) return this.#options.pipeline.importBlock(block);
    const { transactions: _transactions, ...header } = block;
    this.#requireOwn(header);
    return undefined;
  }

  /** @throws BlockRejectedError unless a block is the one that is here already */
  #requireOwn(header: SignedBlockHeader): void {
    const number = Number(header.round);
    const own = this.#options.ledger.blocks.blockByNumber(number);
    if (own !== undefined && equalBytes(own.id, blockId(number, header))) return;
    throw new BlockRejectedError(
      header.round,
      'id',
      'there is another block of this number here; one of the two chains was rolled back or split',
    );
  }

  #tellProgress(): void {
    const { onNotice } = this.#options;
    const [head, highest] = [this.#head(), this.#highest()];
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
