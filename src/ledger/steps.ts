import type { Stopwatch } from '../time.ts';

/** Work that can pause between its steps; its exceptions are thrown from `next`. */
export type Steps<T> = Iterator<void, T>;

/** Takes all steps of some work at once. */
export function complete<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Work of a single step. */
export function inOneStep<T>(work: () => T): Steps<T> {
  return { next: () => ({ done: true, value: work() }) };
}

/** Runs steps until the work is done or a moment has come. */
export function stepUntil<T>(steps: Steps<T>, until: number, time: Stopwatch): IteratorResult<void, T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true || time.now() >= until) return step;
  }
}
