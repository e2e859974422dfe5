import { expect, test } from 'vitest';
import { LONG_WORK_MS } from '../limits.ts';
import { LongWork } from '../long-work.ts';
import { systemTime } from '../time.ts';
import { inSlices } from './slices.ts';

/** Lets the clock move on by so many milliseconds, as work does that holds the thread. */
function hold(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test('default: what is through after the first slice is done at once', () => {
  expect(inSlices({ time: systemTime, longWork: new LongWork(systemTime) }, () => 'done')).toBe('done');
});

test('behavior: after long work of another kind everything else has a while', async () => {
  const longWork = new LongWork(systemTime);
  const slicing = { time: systemTime, longWork };
  const log: string[] = [];
  longWork.note(LONG_WORK_MS);
  const first = inSlices(slicing, () => {
    log.push('first');
    hold(LONG_WORK_MS);
    return 'first';
  });
  const second = inSlices(slicing, () => {
    log.push('second');
    return 'second';
  });
  const quick = async (): Promise<void> => {
    while (!log.includes('second')) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      log.push('quick');
    }
  };
  await Promise.all([first, second, quick()]);
  expect(log.slice(0, log.indexOf('first'))).toContain('quick');
  expect(log.slice(log.indexOf('first'), log.indexOf('second'))).toContain('quick');
});

test('error: what work throws', async () => {
  const longWork = new LongWork(systemTime);
  const fail = (): never => {
    throw new Error('out of order');
  };
  expect(() => inSlices({ time: systemTime, longWork }, fail)).toThrow('out of order');
  longWork.note(LONG_WORK_MS);
  await expect(inSlices({ time: systemTime, longWork }, fail)).rejects.toThrow('out of order');
});
