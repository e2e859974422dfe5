import { IDLE_WATCH_MS_MAX } from '../../limits.ts';

/** Something on which something has to move now and then. */
export interface Watched {
  /** Milliseconds for which nothing may move on it. */
  readonly patienceMs: number;
  /** Whether anything has moved since the last look, which ends with this question. */
  takeMoved(): boolean;
  /** Nothing has moved for too long. */
  giveUp(): void;
}

/**
 * Looks now and then at what has been moving, all at once: a timer for each connection would be wound up with each
 * piece that comes and goes.
 */
export class IdleWatch {
  /** When each was seen moving last. */
  readonly #seen = new Map<Watched, number>();
  readonly #timer: NodeJS.Timeout;

  /** @param shortestMs the shortest patience that there is, by which the looks are spaced */
  constructor(shortestMs: number) {
    const intervalMs = Math.min(IDLE_WATCH_MS_MAX, Math.ceil(shortestMs / 2));
    this.#timer = setInterval(() => this.#look(), intervalMs);
    this.#timer.unref();
  }

  add(watched: Watched): void {
    this.#seen.set(watched, performance.now());
  }

  delete(watched: Watched): void {
    this.#seen.delete(watched);
  }

  /** Ends the looks. */
  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    for (const [watched, since] of this.#seen) {
      if (watched.takeMoved()) this.#seen.set(watched, now);
      else if (now - since >= watched.patienceMs) watched.giveUp();
    }
  }
}
