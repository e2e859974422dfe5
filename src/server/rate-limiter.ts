import { isIPv6 } from 'node:net';
import { COUNTED_CLIENTS_MAX } from '../limits.ts';
import { LimitError } from '../rpc/index.ts';
import { normalizeHost } from './host-names.ts';

const SECOND_MS = 1_000;
/** Groups of 16 bits in an IPv6 address, and in the part of it that stands for one client. */
const GROUPS = 8;
const CLIENT_GROUPS = 4;

/** What is left for a client at a moment. */
interface Bucket {
  calls: number;
  at: number;
}

/** How many calls a client may make, and how many clients are told apart. */
export interface RateLimiterOptions {
  /** Calls that a client may make in a second, and at once after a second without any. */
  readonly callsPerSecond: number;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  /** Told of each call that is refused. */
  readonly onRefused: () => void;
  /** Clients that are counted at one time. */
  readonly clientsMax?: number;
}

/**
 * Counts the calls of each client: a bucket of tokens, filled at the allowed rate, that holds what one second fills.
 * A client that was silent for a second is like a new one, and is forgotten.
 */
export class RateLimiter {
  readonly #options: RateLimiterOptions;
  /** In the order of their last calls. */
  readonly #buckets = new Map<string, Bucket>();
  readonly #refusal: LimitError;

  constructor(options: RateLimiterOptions) {
    this.#options = options;
    this.#refusal = new LimitError(
      `this client exceeds the limit of ${options.callsPerSecond} calls per second (--rate-limit)`,
    );
  }

  /** How many clients are counted at this moment. */
  get clients(): number {
    return this.#buckets.size;
  }

  /** Counts a call of a client; the error that answers it when it is one too many. */
  admit(client: string): LimitError | undefined {
    const now = this.#options.now();
    const bucket = this.#bucketOf(client, now);
    if (bucket.calls < 1) {
      this.#options.onRefused();
      return this.#refusal;
    }
    bucket.calls -= 1;
    return undefined;
  }

  #bucketOf(client: string, now: number): Bucket {
    const { callsPerSecond } = this.#options;
    const known = this.#buckets.get(client);
    const bucket = known ?? { calls: callsPerSecond, at: now };
    bucket.calls = Math.min(callsPerSecond, bucket.calls + ((now - bucket.at) / SECOND_MS) * callsPerSecond);
    bucket.at = now;
    if (known !== undefined) this.#buckets.delete(client);
    this.#buckets.set(client, bucket);
    if (known === undefined) this.#forget(now);
    return bucket;
  }

  /** Removes the clients that were silent for a second, and the one that was longest where there are too many. */
  #forget(now: number): void {
    const most = this.#options.clientsMax ?? COUNTED_CLIENTS_MAX;
    for (const [client, { at }] of this.#buckets) {
      if (now - at < SECOND_MS && this.#buckets.size <= most) return;
      this.#buckets.delete(client);
    }
  }
}

/** Whose calls are counted together: an IPv4 address, or the 64 bits of an IPv6 address that one client is given. */
export function clientOf(address: string): string {
  const [bare = ''] = normalizeHost(address).split('%', 1);
  if (!isIPv6(bare)) return bare;
  const [head = '', tail = ''] = bare.split('::', 2);
  const [first, last] = [head, tail].map((part) => (part === '' ? [] : part.split(':')));
  const zeros = new Array<string>(Math.max(0, GROUPS - (first?.length ?? 0) - (last?.length ?? 0))).fill('0');
  const groups = [...(first ?? []), ...zeros, ...(last ?? [])].slice(0, CLIENT_GROUPS);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
