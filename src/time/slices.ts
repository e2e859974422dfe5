import type { Job } from './job.ts';
import { type Stopwatch, systemTime, yieldToEventLoop } from './time.ts';

/** Milliseconds of a long job, such as a dump or the parsing of a long response, before everything else runs. */
export const WORK_SLICE_MS_MAX = 10;
/** Milliseconds of block work in one time slice, after which everything else runs. */
export const WRITE_SLICE_MS = 15;

/** Resolves when the next slice may begin: one in each iteration of the event loop. */
let turn: Promise<void> = Promise.resolve();

/**
 * Splits a long job into time slices, between which everything else runs. Slices of several jobs are in different
 * iterations of the event loop.
 */
export class WorkSlices {
  readonly #clock: Stopwatch;
  #end: number;

  /** @param clock measures the slices */
  constructor(clock: Stopwatch = systemTime) {
    this.#clock = clock;
    this.#end = clock.now() + WORK_SLICE_MS_MAX;
  }

  /** Waits for the next slice if this one is over; returns undefined if not. */
  next(): Promise<void> | undefined {
    return this.#clock.now() < this.#end ? undefined : this.#pause();
  }

  async #pause(): Promise<void> {
    turn = turn.then(() => yieldToEventLoop(systemTime));
    await turn;
    this.#end = this.#clock.now() + WORK_SLICE_MS_MAX;
  }
}

/** Runs a long job in time slices; without a pause if one slice is enough. */
export async function inSlices<T>(job: Job<T>): Promise<T> {
  const slices = new WorkSlices();
  for (;;) {
    const next = job.next();
    if (next.done === true) return next.value;
    const pause = slices.next();
    if (pause !== undefined) await pause;
  }
}

/** Runs an action for each item, in slices. Rejects as the action throws. */
export function eachInSlices<T>(
  items: readonly T[],
  action: (item: T, index: number) => void,
): Promise<void> {
  return inSlices(each(items, action));
}

function* each<T>(items: readonly T[], action: (item: T, index: number) => void): Generator<void, void> {
  for (const [index, item] of items.entries()) {
    action(item, index);
    yield;
  }
}
