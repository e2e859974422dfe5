import { setImmediate } from 'node:timers/promises';
import type { Time } from './time.ts';

interface Timer {
  readonly due: number;
  readonly callback: () => void;
}

/** Time that calls everybody back at once. */
export const WITHOUT_WAITING: Pick<Time, 'now' | 'soon' | 'after'> = {
  now: () => performance.now(),
  soon: (callback) => callback(),
  after: (_milliseconds, callback) => {
    callback();
    return () => undefined;
  },
};

/** A clock that only a test advances. */
export class ManualTime implements Time {
  /** By how many milliseconds the machine's clock is ahead of the other; a test may set it. */
  wallAhead: number;
  #now = 0;
  #timers: Timer[] = [];
  #soon: (() => void)[] = [];

  /** @param wallNow Unix milliseconds at the beginning */
  constructor(wallNow = 0) {
    this.wallAhead = wallNow;
  }

  now(): number {
    return this.#now;
  }

  wallNow(): number {
    return this.#now + this.wallAhead;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { due: this.#now + Math.max(0, milliseconds), callback };
    const later = this.#timers.findIndex(({ due }) => due > timer.due);
    this.#timers.splice(later === -1 ? this.#timers.length : later, 0, timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  every(milliseconds: number, callback: () => void): () => void {
    let callOff = this.after(milliseconds, () => again());
    const again = (): void => {
      callOff = this.after(milliseconds, again);
      callback();
    };
    return () => callOff();
  }

  soon(callback: () => void): void {
    this.#soon.push(callback);
  }

  /** Lets so many milliseconds pass, and everything happen that is due meanwhile, in its order. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await this.#settle();
    for (let [next] = this.#timers; next !== undefined && next.due <= end; [next] = this.#timers) {
      this.#now = next.due;
      for (; next !== undefined && next.due <= this.#now; [next] = this.#timers) {
        this.#timers.shift();
        next.callback();
      }
      await this.#settle();
    }
    this.#now = end;
  }

  /** Lets everything happen that takes no time. */
  async #settle(): Promise<void> {
    do {
      for (const callback of this.#soon.splice(0)) callback();
      // All settled promises, and their consequences.
      await setImmediate();
    } while (this.#soon.length > 0);
  }
}
