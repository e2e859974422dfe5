import { expect, test } from 'vitest';
import { systemTime } from '../time/time.ts';
import { CpuBackoff, LONG_TASK_MS } from './cooperative-scheduler.ts';

/** Lets the clock move on by so many milliseconds, as work does that holds the thread. */
function hold(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test('default: a task that completes in its first slice returns synchronously', () => {
  expect(new CpuBackoff(systemTime).runSliced(() => 'done')).toBe('done');
});

test('behavior: after a long task of another kind, the event loop runs for a while', async () => {
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

test('error: exceptions of the task are propagated', async () => {
  const backoff = new CpuBackoff(systemTime);
  const fail = (): never => {
    throw new Error('out of order');
  };
  expect(() => backoff.runSliced(fail)).toThrow('out of order');
  backoff.note(LONG_TASK_MS);
  await expect(backoff.runSliced(fail)).rejects.toThrow('out of order');
});
