/** Milliseconds between two checks for idle connections. */
const IDLE_WATCH_MS_MAX = 500;

/**
 * Keeps the event loop polling for some microseconds after a response: the system takes longer to wake a sleeping
 * process than a client to send its next request.
 */
export class BusyPolling {
  readonly #milliseconds: number;
  #until = 0;
  #isPolling = false;

  /** @param microseconds duration after each response */
  constructor(microseconds: number) {
    this.#milliseconds = microseconds / 1_000;
  }

  /** Starts after a response. */
  begin(): void {
    this.#until = performance.now() + this.#milliseconds;
    if (this.#isPolling) return;
    this.#isPolling = true;
    setImmediate(this.#poll);
  }

  readonly #poll = (): void => {
    this.#isPolling = performance.now() < this.#until;
    // The event loop does not sleep before an immediate.
    if (this.#isPolling) setImmediate(this.#poll);
  };
}

/** A connection with a time-out. */
export interface Watched {
  /** Milliseconds without progress after which it times out. */
  readonly timeoutMs: number;
  /** Returns true if it has made progress since the last call. */
  takeProgress(): boolean;
  onTimeout(): void;
}

/** Checks the progress of all connections periodically: a timer for each would be restarted with each chunk. */
export class IdleWatch {
  /** Connections with the time of their last progress. */
  readonly #seen = new Map<Watched, number>();
  readonly #timer: NodeJS.Timeout;

  /** @param shortestMs the shortest time-out, which determines the interval of the checks */
  constructor(shortestMs: number) {
    const intervalMs = Math.min(IDLE_WATCH_MS_MAX, Math.ceil(shortestMs / 2));
    this.#timer = setInterval(() => this.#check(), intervalMs);
    this.#timer.unref();
  }

  add(watched: Watched): void {
    this.#seen.set(watched, performance.now());
  }

  delete(watched: Watched): void {
    this.#seen.delete(watched);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const now = performance.now();
    for (const [watched, since] of this.#seen) {
      if (watched.takeProgress()) this.#seen.set(watched, now);
      else if (now - since >= watched.timeoutMs) watched.onTimeout();
    }
  }
}
