import { setTimeout as sleep } from 'node:timers/promises';
import { BlockRejectedError, type Ledger, RefusedError, Turns } from '../../ledger/index.ts';
import {
  FOLLOW_POLL_MS_MAX,
  FOLLOW_POLL_MS_MIN,
  FOLLOW_RETRY_MS_MAX,
  FOLLOW_RETRY_MS_MIN,
  FOLLOW_SILENCE_MS_MAX,
} from '../../limits.ts';
import {
  type Block,
  blockCodec,
  blockId,
  DecodeError,
  decode,
  equalBytes,
  FormatError,
} from '../../protocol/index.ts';
import type { SyncStatus } from '../../rpc/index.ts';
import type { NodeNotice } from '../events.ts';
import { FollowError } from './fetch-blocks.ts';
import { FollowedNode } from './followed-node.ts';

/** What a follower works with. */
export interface FollowerOptions {
  readonly ledger: Pick<Ledger, 'head' | 'blockByNumber' | 'importBlock'>;
  /** URLs of the nodes to follow. */
  readonly urls: readonly string[];
  /** Milliseconds from one block of the chain to the next. */
  readonly intervalMs: number;
  /** Whether blocks cannot be taken at the moment. */
  isPaused(): boolean;
  onNotice(notice: NodeNotice): void;
  /** A sound block could not be stored; it is tried again. */
  onFailure(error: unknown): void;
}

/**
 * Takes over the blocks of other nodes. Each is polled; what it sends is checked as every block is, and a node that
 * sends a block which is not of this chain is not asked again.
 */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #nodes: readonly FollowedNode[];
  readonly #pollMs: number;
  readonly #closing = new AbortController();
  #running: readonly Promise<void>[] = [];
  /** When a followed node was heard of last, or could have been. */
  #heardAt = performance.now();
  #heardOnce = false;
  /** When the head was the greatest that was heard of last, or came nearer to it. */
  #progressAt = performance.now();
  /** The head at which this node fell behind. */
  #startingBlock = 0;
  #isCatchingUp = false;

  constructor(options: FollowerOptions) {
    this.#options = options;
    const { urls, intervalMs } = options;
    this.#pollMs = Math.min(Math.max(intervalMs / 4, FOLLOW_POLL_MS_MIN), FOLLOW_POLL_MS_MAX);
    this.#nodes = urls.map((url) => new FollowedNode(url));
  }

  /** Begins to ask. */
  start(): void {
    this.#heardAt = performance.now();
    this.#progressAt = this.#heardAt;
    this.#running = this.#nodes.map((node) => this.#follow(node));
  }

  /** Followed nodes that answered the last poll. */
  peerCount(): number {
    return this.#nodes.filter(({ state }) => state === 'answers').length;
  }

  /** How far the node has come, while it is behind the greatest head that it heard of. */
  syncing(): SyncStatus | undefined {
    const currentBlock = this.#head();
    const highestBlock = this.#highest();
    if (currentBlock >= highestBlock) return undefined;
    return { startingBlock: Math.min(this.#startingBlock, currentBlock), currentBlock, highestBlock };
  }

  /**
   * Whether the node may think that its head is the newest: it heard of a followed node, and is behind none. A
   * producer that made a block before could make another one of the same number, and so split the chain.
   */
  isUpToDate(): boolean {
    return this.#nodes.length === 0 || (this.#heardOnce && this.#head() >= this.#highest());
  }

  /** What an operator should look after. */
  problems(): string[] {
    const problems: string[] = [];
    const rejected = this.#nodes.filter(({ state }) => state === 'rejected').length;
    if (rejected > 0) {
      problems.push(
        `${rejected} of ${this.#nodes.length} followed nodes sent blocks that are not of this chain`,
      );
    }
    const status = this.syncing();
    const now = performance.now();
    const [silence, standstill] = [now - this.#heardAt, now - this.#progressAt];
    if (rejected < this.#nodes.length && silence > FOLLOW_SILENCE_MS_MAX) {
      problems.push(`no followed node has answered for ${seconds(silence)}`);
    } else if (status !== undefined && standstill > FOLLOW_SILENCE_MS_MAX) {
      const { currentBlock, highestBlock } = status;
      problems.push(`block ${currentBlock + 1} of ${highestBlock} has not come for ${seconds(standstill)}`);
    }
    return problems;
  }

  /** Ends all polls, and waits for a block that is being stored. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const node of this.#nodes) node.abort();
    await Promise.all(this.#running);
  }

  async #follow(node: FollowedNode): Promise<void> {
    while (!this.#closing.signal.aborted && node.state !== 'rejected') {
      const waitMs = this.#options.isPaused() ? this.#pause() : await this.#poll(node);
      if (waitMs > 0) await this.#sleep(waitMs);
    }
  }

  /** While nothing can be stored nobody is asked, and nobody is silent. */
  #pause(): number {
    this.#heardAt = performance.now();
    this.#progressAt = this.#heardAt;
    return this.#pollMs;
  }

  /** Asks a node once and takes over what it sends. Returns the milliseconds until the next time. */
  async #poll(node: FollowedNode): Promise<number> {
    try {
      const { head, blocks } = await node.ask(this.#head() + 1);
      this.#hear(node, head);
      await this.#takeOver(blocks);
      this.#tellProgress();
      return this.#head() < head ? 0 : this.#pollMs;
    } catch (error) {
      return this.#closing.signal.aborted ? 0 : this.#handle(node, error);
    }
  }

  /** Makes the best of a poll that came to nothing. Returns the milliseconds until the next one. */
  #handle(node: FollowedNode, error: unknown): number {
    const { intervalMs, onNotice, onFailure } = this.#options;
    const { url } = node;
    if (error instanceof BlockRejectedError) {
      node.reject();
      onNotice({ kind: 'followedRejected', url, reason: error.message });
      return 0;
    }
    if (error instanceof FollowError) {
      const { waitMs, isNews } = node.failed();
      if (isNews) onNotice({ kind: 'followedSilent', url, reason: error.message });
      return waitMs;
    }
    // While writing is paused every block is refused, which was told of already.
    if (!(error instanceof RefusedError)) onFailure(error);
    return Math.min(Math.max(intervalMs, FOLLOW_RETRY_MS_MIN), FOLLOW_RETRY_MS_MAX);
  }

  #hear(node: FollowedNode, head: number): void {
    this.#heardAt = performance.now();
    this.#heardOnce = true;
    if (!this.#isCatchingUp) this.#startingBlock = this.#head();
    if (node.answered()) this.#options.onNotice({ kind: 'followedAnswers', url: node.url, head });
  }

  async #takeOver(blocks: readonly Uint8Array[]): Promise<void> {
    const turns = new Turns();
    for (const bytes of blocks) {
      if (this.#closing.signal.aborted) return;
      this.#import(decodeBlock(bytes));
      await turns.next();
    }
  }

  /** Another followed node, or this one itself, may have been faster. */
  #import(block: Block): void {
    const { ledger } = this.#options;
    if (block.round > BigInt(this.#head())) {
      ledger.importBlock(block);
      this.#progressAt = performance.now();
      return;
    }
    const number = Number(block.round);
    const { transactions: _transactions, ...header } = block;
    const own = ledger.blockByNumber(number);
    if (own === undefined || !equalBytes(own.id, blockId(number, header))) {
      throw new BlockRejectedError(block.round, 'id', 'there is another block of this number here');
    }
  }

  #tellProgress(): void {
    const { onNotice } = this.#options;
    const [head, highest] = [this.#head(), this.#highest()];
    if (head >= highest) this.#progressAt = performance.now();
    if (head < highest === this.#isCatchingUp) return;
    this.#isCatchingUp = head < highest;
    onNotice(this.#isCatchingUp ? { kind: 'catchingUp', head, highest } : { kind: 'caughtUp', head });
  }

  #head(): number {
    return this.#options.ledger.head().number;
  }

  /** The greatest head of the followed nodes; 0 when none is known. */
  #highest(): number {
    return Math.max(0, ...this.#nodes.map(({ head }) => head ?? 0));
  }

  async #sleep(milliseconds: number): Promise<void> {
    try {
      await sleep(milliseconds, undefined, { signal: this.#closing.signal });
    } catch {
      // The only thing that ends it early is the end of the follower.
    }
  }
}

function seconds(milliseconds: number): string {
  return `${Math.floor(milliseconds / 1_000)} s`;
}

function decodeBlock(bytes: Uint8Array): Block {
  try {
    return decode(blockCodec, bytes);
  } catch (cause) {
    if (!(cause instanceof DecodeError || cause instanceof FormatError)) throw cause;
    throw new FollowError(`it sent something that is no block: ${cause.message}`, { cause });
  }
}
