import { type Stopwatch, systemTime, yieldToEventLoop } from './time.ts';

/** Milliseconds of a long job, such as a dump or the parsing of a long response, before everything else runs. */
const WORK_SLICE_MS_MAX = 10;
/** Milliseconds of block work in one time slice, after which everything else runs. */
export const WRITE_SLICE_MS = 15;

/**
 * A computation that can pause where it yields, whatever that is. `next` gets the end of the time slice, which a
 * generator has as the value of a `yield`, and throws its exceptions.
 */
export type Job<T> = Iterator<unknown, T, number>;

/** Runs a job without a pause, and returns its result. */
export function completeJob<T>(job: Job<T>): T {
  for (;;) {
    const next = job.next(Number.POSITIVE_INFINITY);
    if (next.done === true) return next.value;
  }
}

/** Runs a job until it is complete or a moment has come. */
export function runUntil<T>(job: Job<T>, until: number, time: Stopwatch): IteratorResult<unknown, T> {
  for (;;) {
    const next = job.next(until);
    if (next.done === true || time.now() >= until) return next;
  }
}

/** Resolves when the next slice may begin: one in each iteration of the event loop. */
let turn: Promise<void> = Promise.resolve();

/**
 * Runs a long job in time slices, between which everything else runs; without a pause if one slice is enough. Slices of
 * several jobs are in different iterations of the event loop.
 * @param job may also wait, as an asynchronous generator
 * @param clock measures the slices
 */
export async function inSlices<T>(
  job: Job<T> | AsyncIterator<unknown, T, number>,
  clock: Stopwatch = systemTime,
): Promise<T> {
  let end = clock.now() + WORK_SLICE_MS_MAX;
  for (;;) {
    const step = job.next(end);
    const next = step instanceof Promise ? await step : step;
    if (next.done === true) return next.value;
    if (clock.now() < end) continue;
    turn = turn.then(() => yieldToEventLoop(systemTime));
    await turn;
    end = clock.now() + WORK_SLICE_MS_MAX;
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
