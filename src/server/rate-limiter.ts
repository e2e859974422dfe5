import { isIPv6 } from 'node:net';
import { LimitError } from '../rpc/index.ts';
import { normalizeHost } from './host-names.ts';
import { TokenBuckets } from './token-buckets.ts';

/** Groups of 16 bits in an IPv6 address, and in the part of it that stands for one client. */
const GROUPS = 8;
const CLIENT_GROUPS = 4;

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
  readonly #buckets: TokenBuckets;
  readonly #refusal: LimitError;

  constructor(options: RateLimiterOptions) {
    this.#options = options;
    const { callsPerSecond, now, clientsMax } = options;
    this.#buckets = new TokenBuckets({ perSecond: callsPerSecond, burst: callsPerSecond, now, clientsMax });
    this.#refusal = new LimitError(
      `this client exceeds the limit of ${callsPerSecond} calls per second (--rate-limit)`,
    );
  }

  /** How many clients are counted at this moment. */
  get clients(): number {
    return this.#buckets.clients;
  }

  /** Counts a call of a client; the error that answers it when it is one too many. */
  admit(client: string): LimitError | undefined {
    if (this.#buckets.take(client)) return undefined;
    this.#options.onRefused();
    return this.#refusal;
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
