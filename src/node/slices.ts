import { TURN_PAUSE_SHARE, WRITE_SLICE_MS, WRITE_SLICE_MS_MAX } from '../limits.ts';
import { nextTurn, type Time } from '../time.ts';

/** Work that can be done in slices: until a moment of a clock. Gives undefined while there is more. */
type Sliced<T> = (until: number) => T | undefined;

/**
 * Does work in slices, between which everything else gets its turn. What is through after the first slice is done when
 * this returns. A slice that had to wait for a slow call is longer for that, so that the work keeps its share.
 *
 * @returns what the work gives, or the promise of it
 */
export function inSlices<T>(time: Time, work: Sliced<T>): T | Promise<T> {
  return work(time.now() + WRITE_SLICE_MS) ?? goOn(time, work);
}

async function goOn<T>(time: Time, work: Sliced<T>): Promise<T> {
  let began = time.now() - WRITE_SLICE_MS;
  for (;;) {
    const ended = time.now();
    await pause(time, (ended - began) * TURN_PAUSE_SHARE);
    began = time.now();
    const sliceMs = Math.min(Math.max(began - ended, WRITE_SLICE_MS), WRITE_SLICE_MS_MAX);
    const result = work(began + sliceMs);
    if (result !== undefined) return result;
  }
}

/** Lets the event loop go round for some milliseconds, once at least. */
async function pause(time: Time, milliseconds: number): Promise<void> {
  const end = time.now() + milliseconds;
  do await nextTurn(time);
  while (time.now() < end);
}
