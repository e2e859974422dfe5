import {
  FOLLOW_BEGIN_INTERVALS,
  FOLLOW_BEGIN_MS_MAX,
  FOLLOW_BEGIN_MS_MIN,
  FOLLOW_RETRY_MS_MAX,
  FOLLOW_RETRY_MS_MIN,
} from '../../limits.ts';
import type { Stopwatch } from '../../time.ts';
import { type BlockSource, type FetchedBlocks, FollowError } from './block-source.ts';

/** One followed node: its source of blocks, and the outcome of the last polls. */
export class FollowedNode {
  state: 'unasked' | 'answers' | 'silent' | 'rejected' = 'unasked';
  /** The reason of the last failure. */
  reason = 'it has not answered yet';
  /** Number of its head whose id contradicts the block here: the next request begins with it. */
  contradicting: number | undefined;
  readonly #source: BlockSource;
  readonly #time: Stopwatch;
  readonly #beginMsMin: number;
  #beginMs: number;
  #isHeard = false;
  /** Its head as it reports it, valid until a moment. */
  #head = 0;
  #headUntil = 0;
  /** Blocks by which its head was behind this node's at its last answer, and true once that was reported. */
  #behind = 0;
  #isBehindKnown = false;
  #retryMs = FOLLOW_RETRY_MS_MIN;
  #request: AbortController | undefined;

  constructor(source: BlockSource, intervalMs: number, time: Stopwatch) {
    this.#source = source;
    this.#time = time;
    this.#beginMsMin = Math.max(FOLLOW_BEGIN_MS_MIN, FOLLOW_BEGIN_INTERVALS * intervalMs);
    this.#beginMsMin = Math.min(this.#beginMsMin, FOLLOW_BEGIN_MS_MAX);
    this.#beginMs = this.#beginMsMin;
  }

  get url(): string {
    return this.#source.url;
  }

  /** True if this node once had all blocks that it reported, or knows that they are useless. */
  get isHeard(): boolean {
    return this.#isHeard || this.state === 'rejected';
  }

  /** Returns the number of its newest block, as it reports it, while checked blocks come from it; else 0. */
  head(): number {
    return this.#time.now() < this.#headUntil ? this.#head : 0;
  }

  /** Requests blocks. @throws FollowError; `state` is unchanged */
  ask(from: number, checkHead: (bytes: Uint8Array) => void): Promise<FetchedBlocks> {
    this.#request = new AbortController();
    return this.#source.ask({ from, beginMs: this.#beginMs, stop: this.#request, checkHead });
  }

  /** Records a useful answer; returns true if the poll before was none. */
  answered(): boolean {
    const isNews = this.state !== 'answers';
    this.state = 'answers';
    this.#beginMs = this.#beginMsMin;
    return isNews;
  }

  /** Records a checked block of an answer that names a head, and the number that this node has reached. */
  gave(head: number, reached: number): void {
    this.#head = head;
    this.#headUntil = this.#time.now() + this.#beginMsMin;
    this.reached(head, reached);
  }

  /** Records the number that this node has reached with an answer that names a head. */
  reached(head: number, reached: number): void {
    if (reached >= head) this.#isHeard = true;
  }

  ended(): void {
    this.#retryMs = FOLLOW_RETRY_MS_MIN;
    this.contradicting = undefined;
  }

  /** Blocks by which its head is behind this node's, except the block that is made now. */
  get behind(): number {
    return this.state === 'answers' && this.#behind > 1 ? this.#behind : 0;
  }

  /** Records the blocks by which its head is behind. Returns true if that is to be reported. */
  isNewlyBehind(blocks: number): boolean {
    this.#behind = blocks;
    if (blocks <= 0) this.#isBehindKnown = false;
    const isNews = this.behind > 0 && !this.#isBehindKnown;
    this.#isBehindKnown ||= isNews;
    return isNews;
  }

  /** Records a failure. Returns the milliseconds until the next poll, and true for the first failure. */
  failed(reason: string): { readonly waitMs: number; readonly isNews: boolean } {
    const isNews = this.state !== 'silent';
    this.state = 'silent';
    this.reason = reason;
    this.#headUntil = 0;
    // A node may be slow, and must be heard all the same.
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
