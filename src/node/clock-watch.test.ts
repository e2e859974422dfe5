import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CLOCK_TIME_MAX } from '../consensus.ts';
import { systemTime } from '../time/time.ts';
import { ClockWatch } from './clock-watch.ts';

const START = 1_790_000_000;

let now: number;
let elapsed: number;
let headTime: number;
let isExcused: boolean;
let watch: ClockWatch;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  now = START;
  elapsed = 5;
  headTime = START;
  isExcused = false;
  watch = new ClockWatch({
    time: { ...systemTime, now: () => elapsed * 1_000, wallNow: () => now * 1_000 },
    headTime: () => headTime,
    isExcused: () => isExcused,
  });
});

afterEach(() => {
  watch.stop();
  vi.useRealTimers();
});

/** Lets time pass on both clocks; the machine's may run or step differently. */
function pass(seconds: number, shown = seconds): void {
  elapsed += seconds;
  now += shown;
}

test('default: a steady clock reports no problem', () => {
  for (let count = 0; count < 100; count += 1) {
    pass(60, 61);
    expect(watch.problems()).toEqual([]);
  }
});

describe('a clock that jumps', () => {
  const JUMP = 79 * 365 * 24 * 60 * 60;
  const SAID = `this machine's clock has jumped by ${JUMP} s: no block is made for 30 s`;

  test('behavior: it counts when it has stayed there', () => {
    pass(1, 1 + JUMP);
    expect([watch.productionBlocker(), watch.problems()]).toEqual([SAID, [SAID]]);
    pass(29);
    expect(watch.productionBlocker()).toBe(SAID);
    pass(1);
    expect(watch.productionBlocker()).toBeUndefined();
  });

  test('behavior: a clock that jumps back at once no longer blocks production', () => {
    pass(1, 1 + JUMP);
    expect(watch.productionBlocker()).toBe(SAID);
    pass(2, 2 - JUMP);
    expect(watch.productionBlocker()).toBeUndefined();
  });

  test('behavior: a clock that keeps jumping keeps blocking production', () => {
    for (let count = 0; count < 10; count += 1) {
      pass(20, 120);
      expect(watch.productionBlocker()).toBeDefined();
    }
  });

  test('behavior: it is seen between two blocks as well', () => {
    watch.start();
    pass(1, 1 + JUMP);
    vi.advanceTimersByTime(1_000);
    pass(30);
    expect(watch.productionBlocker()).toBeUndefined();
  });
});

describe('a clock behind the newest block', () => {
  test.each([
    [10, undefined, []],
    [11, undefined, ["this machine's clock is 11 s behind the time of the newest block"]],
    [60, undefined, ["this machine's clock is 60 s behind the time of the newest block"]],
  ])('behavior: by %i s', (seconds, productionBlocker, problems) => {
    headTime = START + seconds;
    expect([watch.productionBlocker(), watch.problems()]).toEqual([productionBlocker, problems]);
  });

  test('behavior: caused by another clock is a warning', () => {
    headTime = START + 18;
    isExcused = true;
    expect([watch.problems(), watch.warnings()]).toEqual([
      [],
      ["the time of the newest block is 18 s ahead of this machine's clock"],
    ]);
    isExcused = false;
    expect(watch.warnings()).toEqual([]);
  });

  test('error: by more than a block may be ahead', () => {
    headTime = START + 61;
    const said = "this machine's clock is 61 s behind the time of the newest block: no block is made";
    expect([watch.productionBlocker(), watch.problems()]).toEqual([said, [said]]);
  });
});

test('error: a clock beyond the latest possible block time', () => {
  now = CLOCK_TIME_MAX + 1;
  watch = new ClockWatch({
    time: { ...systemTime, now: () => elapsed * 1_000, wallNow: () => now * 1_000 },
    headTime: () => headTime,
    isExcused: () => false,
  });
  expect(watch.productionBlocker()).toBe(
    `this machine's clock is at ${CLOCK_TIME_MAX + 1}, beyond the possible times of blocks`,
  );
});
