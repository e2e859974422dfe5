import { WORK_SLICE_MS_MAX } from '../limits.ts';
import { systemTime, type Time, yieldToEventLoop } from '../time.ts';

/** Cuts long work into slices, between which other events come through, such as a signal to stop. */
export class WorkSlices {
  readonly #time: Pick<Time, 'now' | 'soon'>;
  #began: number;

  /** @param time what slices are measured by, and between which they let others have their turn */
  constructor(time: Pick<Time, 'now' | 'soon'> = systemTime) {
    this.#time = time;
    this.#began = time.now();
  }

  /** Waits for one turn of the event loop if the slice has taken its time. */
  async next(): Promise<void> {
    if (this.#time.now() - this.#began < WORK_SLICE_MS_MAX) return;
    await yieldToEventLoop(this.#time);
    this.#began = this.#time.now();
  }
}
