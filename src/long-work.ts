import { LONG_WORK_MS, TURN_PAUSE_SHARE } from './limits.ts';
import type { Time } from './time.ts';

/**
 * Keeps long pieces of work apart that know nothing of each other, such as calls and blocks: after one of them
 * everything else has its share of the time before the next, so that what is quick waits for one piece at most, not for
 * one of each, also on a connection that has yet to be accepted.
 */
export class LongWork {
  readonly #time: Pick<Time, 'soon' | 'after'>;
  #isResting = false;

  constructor(time: Pick<Time, 'soon' | 'after'>) {
    this.#time = time;
  }

  /** Whether a piece of long work has just ended, so that another has to wait for a while. */
  isResting(): boolean {
    return this.#isResting;
  }

  /** Takes note of work that has held the thread for so many milliseconds. */
  note(milliseconds: number): void {
    if (milliseconds < LONG_WORK_MS || this.#isResting) return;
    this.#isResting = true;
    // The first is in the same round where the work was done for something that had arrived.
    const rest = (): void => void this.#time.after(milliseconds * TURN_PAUSE_SHARE, () => this.#end());
    this.#time.soon(() => this.#time.soon(rest));
  }

  #end(): void {
    this.#isResting = false;
  }
}
