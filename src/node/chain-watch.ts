import { type Ledger, producerOf } from '../ledger/index.ts';
import { OVERDUE_INTERVALS_MAX, OVERDUE_MS_MIN } from '../limits.ts';
import { formatAccountId } from '../protocol/index.ts';
import type { Stopwatch } from '../time.ts';
import type { HealthCheck } from './health.ts';

/** Reports a chain that makes no progress, whoever is scheduled. */
export class ChainWatch implements HealthCheck {
  readonly #ledger: Pick<Ledger, 'blocks' | 'parameters' | 'production'>;
  readonly #intervalMs: number;
  readonly #time: Stopwatch;
  readonly #stopListening: readonly (() => void)[];
  #since: number;

  constructor(
    ledger: Pick<Ledger, 'blocks' | 'parameters' | 'production' | 'chain' | 'history'>,
    intervalMs: number,
    time: Stopwatch,
  ) {
    this.#time = time;
    this.#since = time.now();
    this.#ledger = ledger;
    this.#intervalMs = intervalMs;
    const beginAnew = (): void => {
      this.#since = time.now();
    };
    this.#stopListening = [ledger.chain.onBlock(beginAnew), ledger.history.onForgotten(beginAnew)];
  }

  problems(): string[] {
    const late = this.#time.now() - this.#since - this.#intervalMs;
    if (late <= Math.max(OVERDUE_INTERVALS_MAX * this.#intervalMs, OVERDUE_MS_MIN)) return [];
    const seconds = Math.floor(late / 1_000);
    if (this.#ledger.production.keys.holdsNext())
      return [`the next block should have been made ${seconds} s ago`];
    const number = this.#ledger.blocks.head().number + 1;
    const producer = formatAccountId(producerOf(this.#ledger.parameters.genesis, number));
    return [`block ${number}, which is the turn of ${producer}, should have come ${seconds} s ago`];
  }

  stop(): void {
    for (const stop of this.#stopListening) stop();
  }
}
