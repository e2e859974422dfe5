import type { Stopwatch } from '../../time/time.ts';
import { type BlockSource, type FetchedBlocks, FollowError } from './block-source.ts';

/** Time to the first byte of a followed node's response: two intervals, in this range; doubled for a slow node. */
const FOLLOW_BEGIN_INTERVALS = 2;
const FOLLOW_BEGIN_MS_MIN = 2_000;
const FOLLOW_BEGIN_MS_MAX = 10_000;
/** Milliseconds before a failed followed node is retried: at first, and at most. */
export const FOLLOW_RETRY_MS_MIN = 500;
export const FOLLOW_RETRY_MS_MAX = 10_000;

/** A followed node: its source of blocks, and the outcome of the last polls. */
export class FollowedNode {
  state: 'unknown' | 'responding' | 'silent' | 'rejected' = 'unknown';
  /** The reason of the last failure. */
  reason = 'it has not responded yet';
  /** Number of its head if the id differs from the block here. The next request begins with it. */
  contradicting: number | undefined;
  readonly #source: BlockSource;
  readonly #time: Stopwatch;
  readonly #beginMsMin: number;
  #beginMs: number;
  #isHeard = false;
  /** Reported head, valid until a moment. */
  #head = 0;
  #headUntil = 0;
  /** Blocks by which its head was behind this node's at its last response, and true once that was reported. */
  #behind = 0;
  #isBehindKnown = false;
  #retryMs = FOLLOW_RETRY_MS_MIN;
  #request: AbortController | undefined;

  constructor(source: BlockSource, intervalMs: number, time: Stopwatch) {
    this.#source = source;
    this.#time = time;
    const beginMs = Math.max(FOLLOW_BEGIN_MS_MIN, FOLLOW_BEGIN_INTERVALS * intervalMs);
    this.#beginMsMin = Math.min(beginMs, FOLLOW_BEGIN_MS_MAX);
    this.#beginMs = this.#beginMsMin;
  }

  get url(): string {
    return this.#source.url;
  }

  /** True if this node once had all reported blocks, or rejected them. */
  get isHeard(): boolean {
    return this.#isHeard || this.state === 'rejected';
  }

  /** Returns the reported number of its newest block while it sends valid blocks; else 0. */
  head(): number {
    return this.#time.now() < this.#headUntil ? this.#head : 0;
  }

  /** Fetches blocks. @throws FollowError; `state` is unchanged */
  fetch(from: number, checkHead: (bytes: Uint8Array) => void): Promise<FetchedBlocks> {
    this.#request = new AbortController();
    return this.#source.fetch({ from, beginMs: this.#beginMs, stop: this.#request, checkHead });
  }

  /** Records a useful response. Returns true if the previous poll had none. */
  recordResponse(): boolean {
    const isNews = this.state !== 'responding';
    this.state = 'responding';
    this.#beginMs = this.#beginMsMin;
    return isNews;
  }

  /** Records a valid block of a response with a head, and the number that this node has reached. */
  recordBlock(head: number, reached: number): void {
    this.#head = head;
    this.#headUntil = this.#time.now() + this.#beginMsMin;
    this.recordReached(head, reached);
  }

  /** Records the number that this node has reached after a response with a head. */
  recordReached(head: number, reached: number): void {
    if (reached >= head) this.#isHeard = true;
  }

  /** Records the end of a successful poll. */
  recordEnd(): void {
    this.#retryMs = FOLLOW_RETRY_MS_MIN;
    this.contradicting = undefined;
  }

  /** Blocks by which its head is behind this node's; 0 for one block, which it may still be fetching. */
  get behind(): number {
    return this.state === 'responding' && this.#behind > 1 ? this.#behind : 0;
  }

  /** Records the blocks by which its head is behind. Returns true if that must be reported. */
  recordBehind(blocks: number): boolean {
    this.#behind = blocks;
    if (blocks <= 0) this.#isBehindKnown = false;
    const isNews = this.behind > 0 && !this.#isBehindKnown;
    this.#isBehindKnown ||= isNews;
    return isNews;
  }

  /** Records a failure. Returns the milliseconds until the next poll, and true for the first failure. */
  recordFailure(reason: string): { readonly waitMs: number; readonly isNews: boolean } {
    const isNews = this.state !== 'silent';
    this.state = 'silent';
    this.reason = reason;
    this.#headUntil = 0;
    // A slow node needs more time.
    this.#beginMs = Math.min(this.#beginMs * 2, FOLLOW_BEGIN_MS_MAX);
    const waitMs = this.#retryMs;
    this.#retryMs = Math.min(this.#retryMs * 2, FOLLOW_RETRY_MS_MAX);
    return { waitMs, isNews };
  }

  reject(reason: string): void {
    this.state = 'rejected';
    this.reason = reason;
    this.#headUntil = 0;
  }

  abort(): void {
    this.#request?.abort(new FollowError('the node stops'));
  }
}
