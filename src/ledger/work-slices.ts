import { WORK_SLICE_MS_MAX } from '../limits.ts';
import { systemTime, type Time, yieldToEventLoop } from '../time.ts';

/** Splits a long task into slices, between which the event loop handles other events, such as a signal to stop. */
export class WorkSlices {
  readonly #time: Pick<Time, 'now' | 'soon'>;
  #began: number;

  /** @param time clock of the slices, and the pause between them */
  constructor(time: Pick<Time, 'now' | 'soon'> = systemTime) {
    this.#time = time;
    this.#began = time.now();
  }

  /** Waits for one iteration of the event loop if the slice is over. */
  async next(): Promise<void> {
    if (this.#time.now() - this.#began < WORK_SLICE_MS_MAX) return;
    await yieldToEventLoop(this.#time);
    this.#began = this.#time.now();
  }
}
