import { expect, test } from 'vitest';
import { inSlices, WorkSlices } from './slices.ts';

/** Milliseconds that a slice has, which `docs/forking.md` states. */
const SLICE_MS = 10;
const ROUNDS = 3;

test('default: a slice ends after 10 ms', async () => {
  let now = 0;
  const slices = new WorkSlices({ now: () => now });
  for (const end of [SLICE_MS, 2 * SLICE_MS]) {
    now = end - 1;
    expect(slices.next()).toBeUndefined();
    now = end;
    await expect(slices.next()).resolves.toBeUndefined();
  }
});

test('behavior: slices of several jobs are in different iterations of the event loop', async () => {
  let iteration = 0;
  const count = (): void => {
    iteration += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const begun: number[] = [];
  const runSlice = (): void => {
    begun.push(iteration);
    const end = performance.now() + SLICE_MS;
    while (performance.now() < end);
  };
  function* steps(): Generator<void, void> {
    for (let round = 0; round < ROUNDS; round += 1) {
      yield;
      runSlice();
    }
  }
  const awaiting = async (): Promise<void> => {
    const slices = new WorkSlices();
    for (let round = 0; round < ROUNDS; round += 1) {
      runSlice();
      await slices.next();
    }
  };
  await Promise.all([awaiting(), awaiting(), inSlices(steps())]);
  clearImmediate(counting);
  // The first slices begin at once.
  const later = begun.filter((began) => began > 0);
  expect(new Set(later).size).toBe(later.length);
  expect(later).toHaveLength(begun.length - 3);
});
