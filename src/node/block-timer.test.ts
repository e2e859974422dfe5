import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BlockSummary } from '../ledger/index.ts';
import { startBlockTimer } from './block-timer.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function minesWith(mine: () => void) {
  const ledger = {
    mining: true,
    isMining: () => ledger.mining,
    mine: vi.fn(() => {
      mine();
      // The timer does not look at the block.
      return {} as BlockSummary;
    }),
  };
  return ledger;
}

test('default: a block at the end of every interval, until it is stopped', () => {
  const ledger = minesWith(() => undefined);
  const stop = startBlockTimer(ledger, 5, () => undefined);
  vi.advanceTimersByTime(4_999);
  expect(ledger.mine).toHaveBeenCalledTimes(0);
  vi.advanceTimersByTime(10_001);
  expect(ledger.mine).toHaveBeenCalledTimes(3);
  stop();
  vi.advanceTimersByTime(60_000);
  expect(ledger.mine).toHaveBeenCalledTimes(3);
});

test('behavior: no blocks while mining is stopped', () => {
  const ledger = minesWith(() => undefined);
  const stop = startBlockTimer(ledger, 1, () => undefined);
  ledger.mining = false;
  vi.advanceTimersByTime(3_000);
  expect(ledger.mine).toHaveBeenCalledTimes(0);
  ledger.mining = true;
  vi.advanceTimersByTime(1_000);
  expect(ledger.mine).toHaveBeenCalledTimes(1);
  stop();
});

test('behavior: a failure is reported and the next block is tried', () => {
  const failure = new Error('disk full');
  const ledger = minesWith(() => {
    throw failure;
  });
  const onFailure = vi.fn();
  const stop = startBlockTimer(ledger, 1, onFailure);
  vi.advanceTimersByTime(2_000);
  expect(onFailure.mock.calls).toEqual([[failure], [failure]]);
  stop();
});
