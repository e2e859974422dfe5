import { TURN_PAUSE_SHARE, WRITE_SLICE_MS, WRITE_SLICE_MS_MAX } from '../limits.ts';
import type { LongWork } from '../long-work.ts';
import { nextTurn, type Time } from '../time.ts';

/** Work that can be done in slices: until a moment of a clock. Gives undefined while there is more. */
type Sliced<T> = (until: number) => T | undefined;

/** What slices are timed by, and kept apart from other long work by. */
export interface Slicing {
  readonly time: Time;
  readonly longWork: LongWork;
}

/**
 * Does work in slices, between which everything else gets its turn. What is through after the first slice is done when
 * this returns. A slice that had to wait for a slow call is longer for that, so that the work keeps its share.
 *
 * @returns what the work gives, or the promise of it
 */
export function inSlices<T>(slicing: Slicing, work: Sliced<T>): T | Promise<T> {
  const began = slicing.time.now();
  const isFree = !slicing.longWork.isResting();
  const result = isFree ? slice(slicing, work, WRITE_SLICE_MS) : undefined;
  return result ?? goOn(slicing, work, began);
}

async function goOn<T>(slicing: Slicing, work: Sliced<T>, firstBegan: number): Promise<T> {
  let began = firstBegan;
  for (;;) {
    const ended = slicing.time.now();
    await pause(slicing, (ended - began) * TURN_PAUSE_SHARE);
    began = slicing.time.now();
    const sliceMs = Math.min(Math.max(began - ended, WRITE_SLICE_MS), WRITE_SLICE_MS_MAX);
    const result = slice(slicing, work, sliceMs);
    if (result !== undefined) return result;
  }
}

function slice<T>({ time, longWork }: Slicing, work: Sliced<T>, milliseconds: number): T | undefined {
  const began = time.now();
  try {
    return work(began + milliseconds);
  } finally {
    longWork.note(time.now() - began);
  }
}

/** Lets the event loop go round for some milliseconds, once at least, and after other long work. */
async function pause({ time, longWork }: Slicing, milliseconds: number): Promise<void> {
  const end = time.now() + milliseconds;
  do await nextTurn(time);
  while (time.now() < end || longWork.isResting());
}
