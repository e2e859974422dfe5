import type { Ledger } from '../../ledger/index.ts';
import { BLOCK_AHEAD_SECONDS_MAX, CLOCK_SETTLE_MS, FIRST_TURN_MS_MIN } from '../../limits.ts';
import type { Time } from '../../time.ts';

/** What this machine's clock is compared by: the chain's producers, its interval, and both of the machine's clocks. */
export interface PeerClockOptions {
  readonly ledger: Pick<Ledger, 'head' | 'genesis' | 'nextAttempts'>;
  readonly time: Pick<Time, 'now' | 'wallNow'>;
  /** Milliseconds from one block of the chain to the next. */
  readonly intervalMs: number;
}

/**
 * Compares this machine's clock with those of the other producers, by the time stamps of blocks that come just now: a
 * block of the future has its place in the log for good, and everybody waits until its time has come. Whom nobody else
 * is there to contradict goes by its own clock after a while.
 */
export class PeerClock {
  readonly #options: PeerClockOptions;
  /** When this node had all that the log has for the first time. */
  #since: number | undefined;
  /** The newest block of another producer that came when it was made, and when that was. */
  #heard: { readonly timestamp: number; readonly at: number } | undefined;

  constructor(options: PeerClockOptions) {
    this.#options = options;
  }

  /** This node has all that the log has. */
  current(): void {
    this.#since ??= this.#options.time.now();
  }

  /** A block of another producer has come that was made just now. */
  heard(timestamp: number): void {
    this.#heard = { timestamp, at: this.#options.time.now() };
  }

  /** Why no block may be made at this moment; undefined when this machine's clock does not stand in the way. */
  hindrance(): string | undefined {
    const { ledger, time } = this.#options;
    // Who holds the keys of all has nobody to compare with.
    if (ledger.nextAttempts().length === ledger.genesis.producers.length) return undefined;
    const atStart = { timestamp: ledger.head().header.timestamp, at: this.#since ?? time.now() };
    const { timestamp, at } = this.#heard ?? atStart;
    const age = time.now() - at;
    if (age > this.#patienceMs()) return undefined;
    // A head that did not come just now may be of any age.
    const passed = this.#heard === undefined ? 0 : age;
    const ahead = Math.floor((time.wallNow() - passed) / 1_000) - timestamp;
    if (ahead <= BLOCK_AHEAD_SECONDS_MAX) return undefined;
    return this.#heard === undefined
      ? `the newest block is ${ahead} s old by this machine's clock: another producer is waited for, to compare it`
      : `this machine's clock is ${ahead} s ahead of those that other producers' blocks come from`;
  }

  /** Milliseconds for which others are waited for before this machine's clock is believed. */
  #patienceMs(): number {
    if (this.#heard !== undefined) return CLOCK_SETTLE_MS;
    const { ledger, intervalMs } = this.#options;
    const round = (ledger.genesis.producers.length + 1) * intervalMs;
    return Math.min(CLOCK_SETTLE_MS, round + FIRST_TURN_MS_MIN);
  }
}
