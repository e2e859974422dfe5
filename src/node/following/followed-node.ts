import {
  FOLLOW_BEGIN_INTERVALS,
  FOLLOW_BEGIN_MS_MAX,
  FOLLOW_BEGIN_MS_MIN,
  FOLLOW_RETRY_MS_MAX,
  FOLLOW_RETRY_MS_MIN,
} from '../../limits.ts';
import type { Stopwatch } from '../../time.ts';
import { type BlockSource, type FetchedBlocks, FollowError } from './block-source.ts';

/** How things stand with a followed node. */
export type FollowedState = 'unasked' | 'answers' | 'silent' | 'rejected';

/** One node that is followed: asks it, and remembers what became of that. */
export class FollowedNode {
  readonly #source: BlockSource;
  readonly #time: Stopwatch;
  readonly #beginMsMin: number;
  #beginMs: number;
  #state: FollowedState = 'unasked';
  #reason = 'it has not answered yet';
  #isHeard = false;
  /** What it says its head is, and until when that counts. */
  #head = 0;
  #headUntil = 0;
  /** Blocks by which its head was behind this node's with its last answer, and whether that was reported. */
  #behind = 0;
  #isBehindKnown = false;
  /** Number of its head whose id contradicts the block here: the next request begins with it. */
  #contradicting: number | undefined;
  #retryMs = FOLLOW_RETRY_MS_MIN;
  #request: AbortController | undefined;

  /** @param intervalMs milliseconds from one block of the chain to the next */
  constructor(source: BlockSource, intervalMs: number, time: Stopwatch) {
    this.#source = source;
    this.#time = time;
    this.#beginMsMin = Math.max(FOLLOW_BEGIN_MS_MIN, FOLLOW_BEGIN_INTERVALS * intervalMs);
    this.#beginMsMin = Math.min(this.#beginMsMin, FOLLOW_BEGIN_MS_MAX);
    this.#beginMs = this.#beginMsMin;
  }

  /** Where it is. */
  get url(): string {
    return this.#source.url;
  }

  /** How the last poll went. */
  get state(): FollowedState {
    return this.#state;
  }

  /** Why its last poll came to nothing. */
  get reason(): string {
    return this.#reason;
  }

  /** Whether this node has had all blocks that it said to have, once, or knows that they are of no use. */
  get isHeard(): boolean {
    return this.#isHeard || this.#state === 'rejected';
  }

  /**
   * Number of its newest block, as it says, while checked blocks come from it; 0 otherwise. What it says alone does
   * not count, and what it said before it went silent does not either.
   */
  head(): number {
    return this.#time.now() < this.#headUntil ? this.#head : 0;
  }

  /** Asks for blocks. @throws FollowError; `state` stays as it is */
  ask(from: number, checkHead: (bytes: Uint8Array) => void): Promise<FetchedBlocks> {
    this.#request = new AbortController();
    return this.#source.ask({ from, beginMs: this.#beginMs, stop: this.#request, checkHead });
  }

  /** Takes note of an answer that is of use; returns whether it is the first, or the first one again. */
  answered(): boolean {
    const isNews = this.#state !== 'answers';
    this.#state = 'answers';
    this.#beginMs = this.#beginMsMin;
    return isNews;
  }

  /** Takes note of a checked block of an answer that names a head, and of the number that this node has come to. */
  gave(head: number, reached: number): void {
    this.#head = head;
    this.#headUntil = this.#time.now() + this.#beginMsMin;
    this.reached(head, reached);
  }

  /** Takes note of the number that this node has come to with an answer that names a head. */
  reached(head: number, reached: number): void {
    if (reached >= head) this.#isHeard = true;
  }

  /** Takes note of an answer that was of use to its end. */
  ended(): void {
    this.#retryMs = FOLLOW_RETRY_MS_MIN;
    this.#contradicting = undefined;
  }

  /** Blocks by which its head is behind this node's, with the block that is made just now left out. */
  get behind(): number {
    return this.#state === 'answers' && this.#behind > 1 ? this.#behind : 0;
  }

  /** Takes note of the blocks by which its head is behind. Returns true if that is to be reported. */
  isNewlyBehind(blocks: number): boolean {
    this.#behind = blocks;
    if (blocks <= 0) this.#isBehindKnown = false;
    const isNews = this.behind > 0 && !this.#isBehindKnown;
    this.#isBehindKnown ||= isNews;
    return isNews;
  }

  /** Number of its head whose id contradicts the block here; undefined where none does. */
  get contradicting(): number | undefined {
    return this.#contradicting;
  }

  /** Takes note that its head is another block than the one of that number here. */
  contradicts(head: number): void {
    this.#contradicting = head;
  }

  /** Takes note of a failure: the milliseconds to wait before the next poll, and whether it is the first of them. */
  failed(reason: string): { readonly waitMs: number; readonly isNews: boolean } {
    const isNews = this.#state !== 'silent';
    this.#state = 'silent';
    this.#reason = reason;
    this.#headUntil = 0;
    // A node may be slow, and must be heard all the same.
    this.#beginMs = Math.min(this.#beginMs * 2, FOLLOW_BEGIN_MS_MAX);
    const waitMs = this.#retryMs;
    this.#retryMs = Math.min(this.#retryMs * 2, FOLLOW_RETRY_MS_MAX);
    return { waitMs, isNews };
  }

  /** From now on it does not count. */
  reject(reason: string): void {
    this.#state = 'rejected';
    this.#reason = reason;
    this.#headUntil = 0;
  }

  /** Ends a poll that runs. */
  abort(): void {
    this.#request?.abort(new FollowError('the node stops'));
  }
}
