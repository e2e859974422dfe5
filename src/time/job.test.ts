import { expect, test } from 'vitest';
import { inSlices } from './job.ts';

/** Milliseconds that a slice has, which `docs/forking.md` states. */
const SLICE_MS = 10;
const ROUNDS = 3;

test('default: a slice ends after 10 ms, which the job knows', async () => {
  let now = 0;
  let iterations = 0;
  const isLater = (): Promise<void> =>
    new Promise((resolve) => {
      setImmediate(resolve);
    }).then(() => {
      iterations += 1;
    });
  const job = function* (): Generator<void, unknown, number> {
    const log: unknown[] = [];
    for (const time of [0, SLICE_MS - 1, SLICE_MS, 2 * SLICE_MS - 1]) {
      now = time;
      log.push([time, yield, iterations]);
    }
    return log;
  };
  const [log] = await Promise.all([inSlices(job(), { now: () => now }), isLater()]);
  expect(log).toEqual([
    [0, SLICE_MS, 0],
    [SLICE_MS - 1, SLICE_MS, 0],
    [SLICE_MS, 2 * SLICE_MS, 1],
    [2 * SLICE_MS - 1, 2 * SLICE_MS, 1],
  ]);
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
  async function* awaiting(): AsyncGenerator<void, void> {
    for (let round = 0; round < ROUNDS; round += 1) {
      runSlice();
      yield;
    }
  }
  await Promise.all([inSlices(awaiting()), inSlices(awaiting()), inSlices(steps())]);
  clearImmediate(counting);
  // The first slices begin at once.
  const later = begun.filter((began) => began > 0);
  expect(new Set(later).size).toBe(later.length);
  expect(later).toHaveLength(begun.length - 3);
});
