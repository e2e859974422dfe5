import { IDLE_WATCH_MS_MAX } from '../../limits.ts';

/** A response that is written together with others. */
export interface Writable {
  write(): void;
}

/**
 * Writes the responses of one turn of the event loop together, after all bytes of that turn were read: a client that
 * waits for several of them wakes up once. Work that takes long calls `write` first.
 */
export class ResponseBatch {
  #ready: Writable[] = [];
  #isScheduled = false;

  add(answer: Writable): void {
    if (!this.#isScheduled) setImmediate(this.#nextTurn);
    this.#isScheduled = true;
    this.#ready.push(answer);
  }

  /** Writes the responses that are ready. */
  readonly write = (): void => {
    const ready = this.#ready;
    this.#ready = [];
    for (const answer of ready) answer.write();
  };

  readonly #nextTurn = (): void => {
    this.#isScheduled = false;
    this.write();
  };
}

/**
 * Keeps the event loop polling for a moment after a response, instead of letting the process sleep: the system takes
 * longer to wake a process than a client to send its next request.
 */
export class BusyPolling {
  readonly #milliseconds: number;
  #until = 0;
  #isPolling = false;

  /** @param microseconds time after each response; 0 for none */
  constructor(microseconds: number) {
    this.#milliseconds = microseconds / 1_000;
  }

  /** Begins after a response. */
  begin(): void {
    if (this.#milliseconds === 0) return;
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

/** A connection that must make progress. */
export interface Watched {
  /** Milliseconds without progress after which it is aborted. */
  readonly patienceMs: number;
  /** Returns true if it has made progress since the last call. */
  takeMoved(): boolean;
  giveUp(): void;
}

/** Checks the progress of all connections periodically: a timer for each would be restarted with each piece. */
export class IdleWatch {
  /** Time of the last progress of each. */
  readonly #seen = new Map<Watched, number>();
  readonly #timer: NodeJS.Timeout;

  /** @param shortestMs the shortest patience, by which the checks are spaced */
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

  /** Ends the checks. */
  close(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const now = performance.now();
    for (const [watched, since] of this.#seen) {
      if (watched.takeMoved()) this.#seen.set(watched, now);
      else if (now - since >= watched.patienceMs) watched.giveUp();
    }
  }
}
