import type { UpstreamCounts } from '../../fork/index.ts';
import type { Time } from '../../time/time.ts';
import type { NodeEvents } from '../events.ts';

/** Milliseconds between two notices of fetched entries. */
const NOTICE_MS = 1_000;

const NONE: UpstreamCounts = { requests: 0, calls: 0, milliseconds: 0 };

/** Reports the entries that a node fetches from a remote node: at most one notice a second. */
export class FetchProgress {
  readonly #time: Pick<Time, 'after'>;
  readonly #events: Pick<NodeEvents, 'onNotice'>;
  #counts: () => UpstreamCounts | undefined = () => undefined;
  #reported = NONE;
  #entries = 0;
  #cancel: (() => void) | undefined;

  constructor(time: Pick<Time, 'after'>, events: Pick<NodeEvents, 'onNotice'>) {
    this.#time = time;
    this.#events = events;
  }

  /** Reports the requests to another remote node from now on. */
  follow(counts: () => UpstreamCounts | undefined): void {
    this.#counts = counts;
    this.#reported = counts() ?? NONE;
  }

  /** Counts entries that were fetched. */
  note(entries: number): void {
    this.#entries += entries;
    this.#cancel ??= this.#time.after(NOTICE_MS, () => this.#report());
  }

  stop(): void {
    this.#cancel?.();
  }

  #report(): void {
    const { requests, milliseconds } = this.#reported;
    const now = this.#counts() ?? NONE;
    const facts = {
      requests: now.requests - requests,
      milliseconds: Math.round(now.milliseconds - milliseconds),
    };
    // Without a request the entries came from the cache.
    if (facts.requests > 0)
      this.#events.onNotice?.({ kind: 'forkFetched', entries: this.#entries, ...facts });
    this.#reported = now;
    this.#entries = 0;
    this.#cancel = undefined;
  }
}
