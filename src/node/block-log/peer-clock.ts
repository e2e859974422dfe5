import type { Ledger } from '../../ledger/index.ts';
import { BLOCK_AHEAD_SECONDS_MAX, CLOCK_SETTLE_MS, FIRST_TURN_MS_MIN } from '../../limits.ts';
import type { Time } from '../../time.ts';

/** The chain and the clocks of this machine. */
export interface PeerClockOptions {
  readonly ledger: Pick<Ledger, 'blocks' | 'parameters' | 'production'>;
  readonly time: Pick<Time, 'now' | 'wallNow'>;
  readonly intervalMs: number;
}

/**
 * Compares this machine's clock with the times of blocks that other producers make now: a block of the future stays in
 * the log for good, and delays all nodes until its time has come. Without other producers this machine's clock is
 * trusted after a while.
 */
export class PeerClock {
  readonly #options: PeerClockOptions;
  /** Moment when this node first had all that the log has. */
  #since: number | undefined;
  /** The newest block of another producer that arrived when it was made, and its arrival. */
  #heard: { readonly timestamp: number; readonly at: number } | undefined;

  constructor(options: PeerClockOptions) {
    this.#options = options;
  }

  current(): void {
    this.#since ??= this.#options.time.now();
  }

  /** Records a block of another producer that was made just now. */
  heard(timestamp: number): void {
    this.#heard = { timestamp, at: this.#options.time.now() };
  }

  /** Returns why no block may be made at this moment; undefined when this machine's clock allows it. */
  hindrance(): string | undefined {
    const { ledger, time } = this.#options;
    // A node with the keys of all producers has no other clock.
    if (ledger.production.keys.nextAttempts().length === ledger.parameters.genesis.producers.length)
      return undefined;
    const atStart = { timestamp: ledger.blocks.head().header.timestamp, at: this.#since ?? time.now() };
    const { timestamp, at } = this.#heard ?? atStart;
    const age = time.now() - at;
    if (age > this.#patienceMs()) return undefined;
    // A head from before the start may be of any age.
    const passed = this.#heard === undefined ? 0 : age;
    const ahead = Math.floor((time.wallNow() - passed) / 1_000) - timestamp;
    if (ahead <= BLOCK_AHEAD_SECONDS_MAX) return undefined;
    return this.#heard === undefined
      ? `the newest block is ${ahead} s old by this machine's clock: another producer is waited for, to compare it`
      : `this machine's clock is ${ahead} s ahead of those that other producers' blocks come from`;
  }

  #patienceMs(): number {
    if (this.#heard !== undefined) return CLOCK_SETTLE_MS;
    const { ledger, intervalMs } = this.#options;
    const round = (ledger.parameters.genesis.producers.length + 1) * intervalMs;
    return Math.min(CLOCK_SETTLE_MS, round + FIRST_TURN_MS_MIN);
  }
}
