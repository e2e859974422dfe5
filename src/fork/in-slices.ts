import { FORK_SLICE_MS } from '../limits.ts';
import { systemTime, yieldToEventLoop } from '../time.ts';

/** Resolves when the next slice may begin: one in each iteration of the event loop. */
let turn: Promise<void> = Promise.resolve();

/**
 * Runs the steps of a long job in time slices, between which everything else runs; without a pause if one slice is
 * enough. Slices of several jobs are in different iterations of the event loop.
 */
export async function inSlices<T>(steps: Iterator<unknown, T>): Promise<T> {
  let end = systemTime.now() + FORK_SLICE_MS;
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
    if (systemTime.now() < end) continue;
    turn = turn.then(() => yieldToEventLoop(systemTime));
    await turn;
    end = systemTime.now() + FORK_SLICE_MS;
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
