import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BlockSummary, Ledger } from '../ledger/index.ts';
import { systemTime } from '../time/time.ts';
import { type BlockTimer, type BlockTimerOptions, overdueProblems, startBlockTimer } from './block-timer.ts';

type BlockListener = Parameters<Ledger['chain']['onBlock']>[0];

const NO_WORK = { applyMilliseconds: 0, commitMilliseconds: 0, gas: 0n };

/** The ledger as the timer sees it, with the calls of the timer. */
class TimedLedger {
  readonly made: number[] = [];
  readonly #listeners = new Set<BlockListener>();
  timestamp = Date.now() / 1_000;
  failure: unknown;

  readonly blocks = {
    // Nothing but the time of the head is looked at.
    head: (): BlockSummary => ({ header: { timestamp: this.timestamp } }) as BlockSummary,
  };

  readonly mine = (): BlockSummary => {
    if (this.failure !== undefined) throw this.failure;
    return this.add();
  };

  readonly chain = {
    onBlock: (listener: BlockListener): (() => void) => {
      this.#listeners.add(listener);
      return () => {
        this.#listeners.delete(listener);
      };
    },
  };

  readonly history = { onReorg: () => () => undefined };

  /** A block, from here or from elsewhere. */
  add(): BlockSummary {
    this.made.push(performance.now() - began);
    for (const listener of this.#listeners) listener(this.blocks.head(), NO_WORK);
    return this.blocks.head();
  }
}

let began: number;
let ledger: TimedLedger;
let timer: BlockTimer | undefined;

beforeEach(() => {
  vi.useFakeTimers();
  began = performance.now();
  ledger = new TimedLedger();
});

afterEach(() => {
  timer?.stop();
  vi.useRealTimers();
});

function start(options: Partial<BlockTimerOptions> = {}): BlockTimer {
  timer = startBlockTimer({
    ledger,
    mine: () => ledger.mine(),
    time: systemTime,
    intervalMs: 5_000,
    mayProduce: () => true,
    onFailure: () => undefined,
    ...options,
  });
  return timer;
}

test('default: a block at the end of every interval, until it is stopped', () => {
  const { stop } = start();
  vi.advanceTimersByTime(15_000);
  expect(ledger.made).toEqual([5_000, 10_000, 15_000]);
  stop();
  vi.advanceTimersByTime(60_000);
  ledger.add();
  vi.advanceTimersByTime(60_000);
  expect(ledger.made).toHaveLength(4);
});

test('args: an interval of a fraction of a second', () => {
  start({ intervalMs: 100 });
  vi.advanceTimersByTime(350);
  expect(ledger.made).toEqual([100, 200, 300]);
});

test('args: intervals between two bounds, drawn at random for each block', () => {
  const draws = [0, 0.5, 1, 0];
  start({ shortestMs: 1_000, firstMs: 200, draw: () => draws.shift() ?? 0 });
  vi.advanceTimersByTime(200);
  expect(ledger.made).toEqual([200]);
  vi.advanceTimersByTime(20_000);
  const pauses = ledger.made.slice(1).map((time, index) => time - (ledger.made[index] ?? 0));
  for (const pause of pauses) expect(pause).toBeOneOf([1_000, 3_000, 5_000]);
  expect(new Set(pauses).size).toBeGreaterThan(1);
});

test('behavior: the time since the head counts, also from before the start', () => {
  ledger.timestamp -= 3;
  start();
  vi.advanceTimersByTime(7_000);
  expect(ledger.made).toEqual([2_000, 7_000]);
});

test('behavior: a chain that was idle for long gets a single block at once', () => {
  ledger.timestamp -= 3_600;
  start();
  vi.advanceTimersByTime(5_000);
  expect(ledger.made).toEqual([0, 5_000]);
});

test('behavior: a head ahead of the clock does not delay the next block', () => {
  ledger.timestamp += 3_600;
  start();
  vi.advanceTimersByTime(5_000);
  expect(ledger.made).toEqual([5_000]);
});

test('behavior: after a block from elsewhere an interval passes', () => {
  start();
  vi.advanceTimersByTime(4_000);
  ledger.add();
  vi.advanceTimersByTime(6_000);
  expect(ledger.made).toEqual([4_000, 9_000]);
});

test('behavior: no blocks while production is not allowed, which does not count as overdue', () => {
  let mayProduce = false;
  const { overdueMs } = start({ mayProduce: () => mayProduce });
  vi.advanceTimersByTime(62_000);
  expect(overdueMs()).toBe(0);
  mayProduce = true;
  expect(overdueMs()).toBe(0);
  vi.advanceTimersByTime(3_000);
  expect(ledger.made).toEqual([65_000]);
});

test('error: a failure is reported, and the block is retried after the interval', () => {
  ledger.failure = new RangeError('disk full');
  const onFailure = vi.fn();
  const { overdueMs } = start({ onFailure });
  vi.advanceTimersByTime(12_000);
  expect(onFailure.mock.calls).toEqual([[ledger.failure], [ledger.failure]]);
  expect(overdueMs()).toBe(7_000);
  ledger.failure = undefined;
  vi.advanceTimersByTime(3_000);
  expect(ledger.made).toEqual([15_000]);
  expect(overdueMs()).toBe(0);
});

test.each([
  [100, 10_000, []],
  [100, 10_001, ['the next block should have been made 10 s ago']],
  [5_000, 15_000, []],
  [5_000, 15_999, ['the next block should have been made 15 s ago']],
])(
  'behavior: with an interval of %i ms, the problem reported for a delay of %i ms',
  (intervalMs, delay, problems) => {
    expect(overdueProblems({ intervalMs, overdueMs: () => delay })).toEqual(problems);
    expect(overdueProblems(undefined)).toEqual([]);
  },
);
