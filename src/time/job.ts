import type { Stopwatch } from './time.ts';

/** A computation that can pause where it yields, whatever that is. `next` throws its exceptions. */
export type Job<T> = Iterator<unknown, T>;

/** Runs a job without a pause, and returns its result. */
export function completeJob<T>(job: Job<T>): T {
  for (;;) {
    const next = job.next();
    if (next.done === true) return next.value;
  }
}

/** Returns a job that never pauses. */
export function immediateJob<T>(work: () => T): Job<T> {
  return { next: () => ({ done: true, value: work() }) };
}

/** Runs a job until it is complete or a moment has come. */
export function runUntil<T>(job: Job<T>, until: number, time: Stopwatch): IteratorResult<unknown, T> {
  for (;;) {
    const next = job.next();
    if (next.done === true || time.now() >= until) return next;
  }
}
