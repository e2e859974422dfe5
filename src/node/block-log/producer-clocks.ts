import { type Ledger, producerOf } from '../../ledger/index.ts';
import {
  CLOCK_BEHIND_SECONDS_MAX,
  CLOCK_READING_BYTES_MAX,
  CLOCK_READINGS_MAX,
  CLOCK_SETTLE_MS,
} from '../../limits.ts';
import { type AccountId, formatAccountId } from '../../protocol/index.ts';
import type { Time } from '../../time.ts';
import type { MessageExchange } from './block-log.ts';

/** Milliseconds between two published readings of a producer's clock. */
const CLOCK_READING_MS = 5_000;

const SECOND_MS = 1_000;
const TOLERANCE_MS = CLOCK_BEHIND_SECONDS_MAX * SECOND_MS;
/** A producer and the Unix milliseconds of its clock. */
const READING = /^(1\.2\.\d+) (\d{1,15})$/;

/** The producers whose clocks are compared, and the exchange of their readings. */
export interface ProducerClocksOptions {
  readonly ledger: Pick<Ledger, 'blocks' | 'parameters' | 'production'>;
  readonly exchange: Pick<MessageExchange, 'publish' | 'onMessage'>;
  readonly time: Time;
}

interface Reading {
  /** Milliseconds by which the producer's clock was ahead of this process's monotonic clock. */
  readonly offset: number;
  readonly at: number;
}

/**
 * Compares this machine's clock with the majority of the producers' clocks, whose readings nodes exchange. Block times
 * do not show an error: a block is never older than its parent, so behind a producer whose clock is ahead all others
 * sign its time.
 */
export class ProducerClocks {
  readonly #options: ProducerClocksOptions;
  readonly #producers: ReadonlySet<AccountId>;
  /** The newest readings of each producer, the oldest first. */
  readonly #readings = new Map<AccountId, Reading[]>();
  #stops: readonly (() => void)[] = [];

  constructor(options: ProducerClocksOptions) {
    this.#options = options;
    this.#producers = new Set(options.ledger.parameters.genesis.producers);
  }

  /** Publishes the clocks of this node's producers, and listens to others. */
  start(): void {
    const { exchange, time } = this.#options;
    this.#stops = [
      exchange.onMessage((message) => this.#receive(message)),
      time.every(CLOCK_READING_MS, () => this.#publish()),
    ];
    this.#publish();
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  /** Describes how far this machine's clock is from the majority's; undefined where it agrees or there is none. */
  problem(): string | undefined {
    const majority = this.#majority();
    if (majority === undefined || Math.abs(majority.offset) <= TOLERANCE_MS) return undefined;
    const { size } = this.#producers;
    const difference = describe(-majority.offset);
    return `this machine's clock is ${difference} those of most producers (${majority.count} of ${size})`;
  }

  /** Describes the clocks of producers that differ from the majority's, or from this machine's where there is none. */
  warnings(): string[] {
    const majority = this.#majority();
    const from = majority?.offset ?? 0;
    const than =
      majority === undefined
        ? "this machine's, and no majority of producers shows which is right"
        : 'those of most producers';
    return [...this.#others()].flatMap(([producer, offset]) =>
      Math.abs(offset - from) <= TOLERANCE_MS
        ? []
        : [`the clock of producer ${formatAccountId(producer)} is ${describe(offset - from)} ${than}`],
    );
  }

  /** Returns true if clocks of other producers are known, and no majority contradicts this machine's. */
  excuses(): boolean {
    return this.#others().size > 0 && this.problem() === undefined;
  }

  /** Returns the clock that more than half of all producers share, in milliseconds ahead of this machine's. */
  #majority(): { readonly offset: number; readonly count: number } | undefined {
    const offsets = [...this.#others().values(), ...this.#own().map(() => 0)].sort((a, b) => a - b);
    for (const center of offsets) {
      const near = offsets.filter((offset) => Math.abs(offset - center) <= TOLERANCE_MS);
      const offset = near[Math.floor(near.length / 2)];
      if (offset !== undefined && 2 * near.length > this.#producers.size)
        return { offset, count: near.length };
    }
    return undefined;
  }

  /** Returns by how many milliseconds other producers' clocks are ahead of this machine's, by recent readings. */
  #others(): Map<AccountId, number> {
    const { time } = this.#options;
    const since = time.now() - CLOCK_SETTLE_MS;
    const here = time.wallNow() - time.now();
    const offsets = new Map<AccountId, number>();
    for (const [producer, readings] of this.#readings) {
      const recent = readings.filter(({ at }) => at >= since).map(({ offset }) => offset);
      // A late reading makes a clock seem behind: the greatest one was the fastest.
      if (recent.length > 0) offsets.set(producer, Math.max(...recent) - here);
    }
    return offsets;
  }

  #own(): AccountId[] {
    const { ledger } = this.#options;
    const next = ledger.blocks.head().number + 1;
    const attempts = ledger.production.keys.nextAttempts();
    return [...new Set(attempts.map((attempt) => producerOf(ledger.parameters.genesis, next, attempt)))];
  }

  #publish(): void {
    const { exchange, time } = this.#options;
    for (const producer of this.#own()) {
      const reading = `${formatAccountId(producer)} ${Math.round(time.wallNow())}`;
      exchange.publish(new TextEncoder().encode(reading));
    }
  }

  /** Records a reading; ignores any that is malformed or of no producer. */
  #receive(message: Uint8Array): void {
    if (message.length > CLOCK_READING_BYTES_MAX) return;
    const [, name, milliseconds] = READING.exec(new TextDecoder().decode(message)) ?? [];
    const producer = [...this.#producers].find((known) => formatAccountId(known) === name);
    if (producer === undefined || this.#own().includes(producer)) return;
    const at = this.#options.time.now();
    const readings = this.#readings.get(producer) ?? [];
    readings.push({ offset: Number(milliseconds) - at, at });
    if (readings.length > CLOCK_READINGS_MAX) readings.shift();
    this.#readings.set(producer, readings);
  }
}

function describe(milliseconds: number): string {
  const seconds = Math.round(Math.abs(milliseconds) / SECOND_MS);
  return `${seconds} s ${milliseconds > 0 ? 'ahead of' : 'behind'}`;
}
