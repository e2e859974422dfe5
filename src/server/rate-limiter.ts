import { LimitError } from '../rpc/index.ts';

/** Seconds of a burst of connections that end without a whole request. */
export const UNUSED_CONNECTIONS_BURST_SECONDS = 20;
/** Clients with a rate limit bucket; beyond it the least recently used one is removed. */
const COUNTED_CLIENTS_MAX = 65_536;

const SECOND_MS = 1_000;

interface Bucket {
  tokens: number;
  at: number;
}

/** The bound of a rate of each client. */
export interface RateOptions {
  /** Tokens added to a bucket in a second. */
  readonly perSecond: number;
  /** Number of buckets; beyond it the least recently used one is removed. */
  readonly clientsMax?: number;
  /** Returns the milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/** Token buckets, one per client. A full bucket is removed. */
class TokenBuckets {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #clientsMax: number;
  readonly #now: () => number;
  /** Buckets in the order of their last use. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    { perSecond, clientsMax = COUNTED_CLIENTS_MAX, now = () => performance.now() }: RateOptions,
    burstSeconds: number,
  ) {
    this.#perSecond = perSecond;
    this.#burst = perSecond * burstSeconds;
    this.#clientsMax = clientsMax;
    this.#now = now;
  }

  get clients(): number {
    return this.#buckets.size;
  }

  /** Takes a token of a client; returns false if it has none. */
  take(client: string): boolean {
    const now = this.#now();
    const known = this.#buckets.get(client);
    const bucket = known ?? { tokens: this.#burst, at: now };
    bucket.tokens = this.#tokensAt(bucket, now);
    bucket.at = now;
    if (known !== undefined) this.#buckets.delete(client);
    this.#buckets.set(client, bucket);
    if (known === undefined) this.#prune(now);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  hasToken(client: string): boolean {
    const bucket = this.#buckets.get(client);
    return bucket === undefined || this.#tokensAt(bucket, this.#now()) >= 1;
  }

  #tokensAt({ tokens, at }: Bucket, now: number): number {
    return Math.min(this.#burst, tokens + ((now - at) / SECOND_MS) * this.#perSecond);
  }

  /** Removes full buckets, and the least recently used one if there are too many. */
  #prune(now: number): void {
    const fillMs = (this.#burst / this.#perSecond) * SECOND_MS;
    for (const [client, { at }] of this.#buckets) {
      if (now - at < fillMs && this.#buckets.size <= this.#clientsMax) return;
      this.#buckets.delete(client);
    }
  }
}

/** Bounds the calls of each client in a second. */
export class RateLimiter extends TokenBuckets {
  readonly #refusal: LimitError;
  readonly #onRefused: () => void;

  /** @param onRefused called for each refused call */
  constructor(options: RateOptions, onRefused: () => void) {
    super(options, 1);
    this.#onRefused = onRefused;
    this.#refusal = new LimitError(
      `this client exceeds the limit of ${options.perSecond} calls per second (--rate-limit)`,
    );
  }

  /** Counts a call of a client; returns the error of a call that exceeds the bound. */
  admit(client: string): LimitError | undefined {
    if (this.take(client)) return undefined;
    this.#onRefused();
    return this.#refusal;
  }
}

/**
 * Bounds the connections of each client that end without a whole request: beyond it new ones are closed until the
 * client's bucket has a token. Connections with a request do not count: a reverse proxy without keep-alive opens one
 * per request.
 */
export class UnusedConnectionLimiter extends TokenBuckets {
  readonly #perSecond: number;
  readonly #onRefused: (message: string) => void;

  /** @param onRefused receives the message for each connection that is closed at once */
  constructor(options: RateOptions, onRefused: (message: string) => void) {
    super(options, UNUSED_CONNECTIONS_BURST_SECONDS);
    this.#perSecond = options.perSecond;
    this.#onRefused = onRefused;
  }

  /** Returns true if a client may open a connection. */
  mayOpen(client: string): boolean {
    if (this.hasToken(client)) return true;
    // A connection that was reset before it was accepted has no address.
    const name = client === '' ? 'clients that reset them before they are accepted' : client;
    this.#onRefused(
      `new connections of ${name} are closed: more than ${this.#perSecond} a second ended without ` +
        'a whole request (--unused-connections)',
    );
    return false;
  }
}
