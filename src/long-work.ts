import { LONG_WORK_MS } from './limits.ts';
import type { Time } from './time.ts';

/**
 * Keeps long pieces of work apart that know nothing of each other, such as calls and blocks: after one of them the
 * event loop goes round before the next, so that what is quick waits for one piece at most, not for one of each.
 */
export class LongWork {
  readonly #time: Pick<Time, 'soon'>;
  #isResting = false;

  constructor(time: Pick<Time, 'soon'>) {
    this.#time = time;
  }

  /** Whether a piece of long work has just ended, so that another has to wait for a round of the event loop. */
  isResting(): boolean {
    return this.#isResting;
  }

  /** Takes note of work that has held the thread for so many milliseconds. */
  note(milliseconds: number): void {
    if (milliseconds < LONG_WORK_MS || this.#isResting) return;
    this.#isResting = true;
    // The first is in the same round where the work was done for something that had arrived.
    this.#time.soon(() => this.#time.soon(() => this.#end()));
  }

  #end(): void {
    this.#isResting = false;
  }
}
