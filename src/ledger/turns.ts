import { setImmediate } from 'node:timers/promises';
import { WORK_SLICE_MS_MAX } from '../limits.ts';

/** Makes long work let other events through, so that a signal to stop is seen. */
export class Turns {
  #began = performance.now();

  /** Waits for one turn of the event loop if the last one is long enough ago. */
  async next(): Promise<void> {
    if (performance.now() - this.#began < WORK_SLICE_MS_MAX) return;
    await setImmediate();
    this.#began = performance.now();
  }
}
