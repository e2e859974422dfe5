import { SERVING_SLICE_MS_MAX, WORK_SLICE_MS_MAX } from './limits.ts';
import { systemTime, type Time, yieldToEventLoop } from './time.ts';

/** Splits a long task into slices, between which the event loop handles other events, such as a signal to stop. */
export class WorkSlices {
  readonly #time: Pick<Time, 'now' | 'soon'>;
  #began: number;

  /** @param time clock of the slices, and the pause between them */
  constructor(time: Pick<Time, 'now' | 'soon'> = systemTime) {
    this.#time = time;
    this.#began = time.now();
  }

  /** Waits for one iteration of the event loop if the slice is over. */
  async next(): Promise<void> {
    if (this.#time.now() - this.#began < WORK_SLICE_MS_MAX) return;
    await yieldToEventLoop(this.#time);
    this.#began = this.#time.now();
  }
}

/** Resolves when the next slice may begin: one in each iteration of the event loop. */
let turn: Promise<void> = Promise.resolve();

/**
 * Runs the steps of a long job of a node in time slices, between which everything else runs; without a pause if one
 * slice is enough. Slices of several jobs are in different iterations of the event loop.
 */
export async function inSlices<T>(steps: Iterator<unknown, T>): Promise<T> {
  let end = systemTime.now() + SERVING_SLICE_MS_MAX;
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
    if (systemTime.now() < end) continue;
    turn = turn.then(() => yieldToEventLoop(systemTime));
    await turn;
    end = systemTime.now() + SERVING_SLICE_MS_MAX;
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
