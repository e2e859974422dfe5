import { expect, test } from 'vitest';
import { LONG_TASK_MS } from '../limits.ts';
import { systemTime } from '../time.ts';
import { CpuBackoff } from './cooperative-scheduler.ts';

/** Lets the clock move on by so many milliseconds, as work does that holds the thread. */
function hold(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test('default: what is through after the first slice is done at once', () => {
  expect(new CpuBackoff(systemTime).runSliced(() => 'done')).toBe('done');
});

test('behavior: after long work of another kind everything else has a while', async () => {
  const backoff = new CpuBackoff(systemTime);
  const log: string[] = [];
  backoff.note(LONG_TASK_MS);
  const first = backoff.runSliced(() => {
    log.push('first');
    hold(LONG_TASK_MS);
    return 'first';
  });
  const second = backoff.runSliced(() => {
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
  const backoff = new CpuBackoff(systemTime);
  const fail = (): never => {
    throw new Error('out of order');
  };
  expect(() => backoff.runSliced(fail)).toThrow('out of order');
  backoff.note(LONG_TASK_MS);
  await expect(backoff.runSliced(fail)).rejects.toThrow('out of order');
});
