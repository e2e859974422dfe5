import { FOLLOW_RETRY_MS_MAX, FOLLOW_RETRY_MS_MIN } from '../../limits.ts';
import { type FetchedBlocks, FollowError, fetchBlocks } from './fetch-blocks.ts';

/** How things stand with a followed node. */
export type FollowedState = 'unasked' | 'answers' | 'silent' | 'rejected';

/** One node that is followed: asks it, and remembers what became of that. */
export class FollowedNode {
  readonly url: string;
  #state: FollowedState = 'unasked';
  #head: number | undefined;
  #retryMs = FOLLOW_RETRY_MS_MIN;
  #request: AbortController | undefined;

  constructor(url: string) {
    this.url = url;
  }

  /** How the last poll went. */
  get state(): FollowedState {
    return this.#state;
  }

  /** Number of its newest block, as far as it was heard of; undefined when it was never, or has been rejected. */
  get head(): number | undefined {
    return this.#head;
  }

  /** Asks for blocks. @throws FollowError; `state` stays as it is */
  async ask(from: number): Promise<FetchedBlocks> {
    this.#request = new AbortController();
    const answer = await fetchBlocks(this.url, from, this.#request);
    this.#head = answer.head;
    return answer;
  }

  /** Takes note of an answer that was of use; returns whether it is the first, or the first one again. */
  answered(): boolean {
    const isNews = this.#state !== 'answers';
    this.#state = 'answers';
    this.#retryMs = FOLLOW_RETRY_MS_MIN;
    return isNews;
  }

  /** Takes note of a failure: the milliseconds to wait before the next poll, and whether it is the first of them. */
  failed(): { readonly waitMs: number; readonly isNews: boolean } {
    const isNews = this.#state !== 'silent';
    this.#state = 'silent';
    const waitMs = this.#retryMs;
    this.#retryMs = Math.min(this.#retryMs * 2, FOLLOW_RETRY_MS_MAX);
    return { waitMs, isNews };
  }

  /** From now on it does not count. */
  reject(): void {
    this.#state = 'rejected';
    this.#head = undefined;
  }

  /** Ends a poll that runs. */
  abort(): void {
    this.#request?.abort(new FollowError('the node stops'));
  }
}
