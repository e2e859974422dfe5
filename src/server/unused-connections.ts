import { UNUSED_CONNECTIONS_BURST_SECONDS } from '../limits.ts';
import { TokenBuckets } from './token-buckets.ts';

/** Bound of the connections of a client that end without a whole request. */
export interface UnusedConnectionsOptions {
  /** Such connections of a client in a second; a burst of several seconds' worth may end at once. */
  readonly perSecond: number;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  /** Receives the reason for each connection that is closed at once. */
  readonly onRefused: (message: string) => void;
}

/**
 * Bounds the connections of each client that end without a whole request. A client beyond the bound gets no further
 * connection until its bucket has a token again. Connections with a request are not counted: a reverse proxy without
 * keep-alive opens one per request.
 */
export class UnusedConnections {
  readonly #options: UnusedConnectionsOptions;
  readonly #buckets: TokenBuckets;

  constructor(options: UnusedConnectionsOptions) {
    this.#options = options;
    const { perSecond, now } = options;
    this.#buckets = new TokenBuckets({ perSecond, burst: perSecond * UNUSED_CONNECTIONS_BURST_SECONDS, now });
  }

  /** Returns true if a client may open a connection. */
  mayOpen(client: string): boolean {
    if (this.#buckets.hasToken(client)) return true;
    // A connection that was reset before it was accepted has no address any more.
    const name = client === '' ? 'clients that reset them before they are accepted' : client;
    this.#options.onRefused(
      `new connections of ${name} are closed: more than ${this.#options.perSecond} a second ended without ` +
        'a whole request (--unused-connections)',
    );
    return false;
  }

  /** Counts a connection that ended without a whole request. */
  count(client: string): void {
    this.#buckets.take(client);
  }
}
