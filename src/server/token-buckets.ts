import { COUNTED_CLIENTS_MAX } from '../limits.ts';

const SECOND_MS = 1_000;

/** A bucket of tokens at a moment. */
interface Bucket {
  tokens: number;
  at: number;
}

/** Bounds of token buckets. */
export interface TokenBucketsOptions {
  /** Tokens that a bucket gets in a second. */
  readonly perSecond: number;
  /** Tokens that a bucket holds. */
  readonly burst: number;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  /** Clients that have a bucket at one time. */
  readonly clientsMax?: number | undefined;
}

/** A token bucket for each client. A full bucket is forgotten. */
export class TokenBuckets {
  readonly #options: TokenBucketsOptions;
  /** Buckets in the order of their last use. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: TokenBucketsOptions) {
    this.#options = options;
  }

  /** Number of clients that have a bucket. */
  get clients(): number {
    return this.#buckets.size;
  }

  /** Takes a token of a client; returns false if it has none. */
  take(client: string): boolean {
    const now = this.#options.now();
    const known = this.#buckets.get(client);
    const bucket = known ?? { tokens: this.#options.burst, at: now };
    bucket.tokens = this.#tokensAt(bucket, now);
    bucket.at = now;
    if (known !== undefined) this.#buckets.delete(client);
    this.#buckets.set(client, bucket);
    if (known === undefined) this.#forget(now);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  /** Returns true if a client has a token. */
  hasToken(client: string): boolean {
    const bucket = this.#buckets.get(client);
    return bucket === undefined || this.#tokensAt(bucket, this.#options.now()) >= 1;
  }

  #tokensAt({ tokens, at }: Bucket, now: number): number {
    const { perSecond, burst } = this.#options;
    return Math.min(burst, tokens + ((now - at) / SECOND_MS) * perSecond);
  }

  /** Removes buckets that are full by now, and the least recently used one if there are too many. */
  #forget(now: number): void {
    const { perSecond, burst, clientsMax = COUNTED_CLIENTS_MAX } = this.#options;
    const fillMs = (burst / perSecond) * SECOND_MS;
    for (const [client, { at }] of this.#buckets) {
      if (now - at < fillMs && this.#buckets.size <= clientsMax) return;
      this.#buckets.delete(client);
    }
  }
}
