import type { Stopwatch } from '../time.ts';

/** A task that can pause between its steps. `next` throws its exceptions. */
export type Steps<T> = Iterator<void, T>;

/** Runs all steps of a task. */
export function complete<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Returns a task of a single step. */
export function inOneStep<T>(work: () => T): Steps<T> {
  return { next: () => ({ done: true, value: work() }) };
}

/** Runs steps until the task is complete or a moment has come. */
export function stepUntil<T>(steps: Steps<T>, until: number, time: Stopwatch): IteratorResult<void, T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true || time.now() >= until) return step;
  }
}
