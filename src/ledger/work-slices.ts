import { setImmediate } from 'node:timers/promises';
import { WORK_SLICE_MS_MAX } from '../limits.ts';

/** Cuts long work into slices, between which other events come through, such as a signal to stop. */
export class WorkSlices {
  #began = performance.now();

  /** Waits for one turn of the event loop if the slice has taken its time. */
  async next(): Promise<void> {
    if (performance.now() - this.#began < WORK_SLICE_MS_MAX) return;
    await setImmediate();
    this.#began = performance.now();
  }
}
