import { LONG_WORK_MS, TURN_PAUSE_SHARE, WRITE_SLICE_MS, WRITE_SLICE_MS_MAX } from '../limits.ts';
import { nextTurn, type Time } from '../time.ts';

/**
 * Keeps long pieces of work apart that do not depend on each other, such as calls and blocks: after one of them
 * everything else has its share of the time before the next. So a quick request waits for one piece at most, not for
 * one of each, also on a connection that is not accepted yet.
 */
export class CpuBackoff {
  readonly #time: Pick<Time, 'now' | 'soon' | 'after'>;
  #isResting = false;

  constructor(time: Pick<Time, 'now' | 'soon' | 'after'>) {
    this.#time = time;
  }

  /** Returns true if a long piece of work has just ended, so that another one has to wait. */
  isResting(): boolean {
    return this.#isResting;
  }

  /** Notes work that has held the thread for so many milliseconds. */
  note(milliseconds: number): void {
    if (milliseconds < LONG_WORK_MS || this.#isResting) return;
    this.#isResting = true;
    const end = (): void => {
      this.#isResting = false;
    };
    // The first is in the same round where the work was done for something that had arrived.
    const rest = (): void => void this.#time.after(milliseconds * TURN_PAUSE_SHARE, end);
    this.#time.soon(() => this.#time.soon(rest));
  }

  /**
   * Runs work of the node itself in slices, between which everything else runs; at once if one slice is enough. A slice
   * that had to wait for a slow call is longer for that, so that the work keeps its share.
   *
   * @param work runs until a moment of the clock; returns undefined while there is more
   */
  runSliced<T>(work: (until: number) => T | undefined): T | Promise<T> {
    const began = this.#time.now();
    const result = this.#isResting ? undefined : this.#slice(work, WRITE_SLICE_MS);
    return result ?? this.#continue(work, began);
  }

  async #continue<T>(work: (until: number) => T | undefined, firstBegan: number): Promise<T> {
    let began = firstBegan;
    for (;;) {
      const ended = this.#time.now();
      const pauseEnd = ended + (ended - began) * TURN_PAUSE_SHARE;
      do await nextTurn(this.#time);
      while (this.#time.now() < pauseEnd || this.#isResting);
      began = this.#time.now();
      const sliceMs = Math.min(Math.max(began - ended, WRITE_SLICE_MS), WRITE_SLICE_MS_MAX);
      const result = this.#slice(work, sliceMs);
      if (result !== undefined) return result;
    }
  }

  #slice<T>(work: (until: number) => T | undefined, milliseconds: number): T | undefined {
    const began = this.#time.now();
    try {
      return work(began + milliseconds);
    } finally {
      this.note(this.#time.now() - began);
    }
  }
}
