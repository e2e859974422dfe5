import { expect, test } from 'vitest';
import type { Job } from '../time/job.ts';
import { systemTime } from '../time/time.ts';
import { CpuBackoff, LONG_TASK_MS } from './cooperative-scheduler.ts';

/** Lets the clock move on by so many milliseconds, as work does that holds the thread. */
function hold(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** Returns a job without a pause. */
function jobOf<T>(work: () => T): Job<T> {
  return { next: () => ({ done: true, value: work() }) };
}

test('default: a task that completes in its first slice returns synchronously', () => {
  expect(new CpuBackoff(systemTime).run(jobOf(() => 'done'))).toBe('done');
});

test('behavior: after a long task of another kind, the event loop runs for a while', async () => {
  const backoff = new CpuBackoff(systemTime);
  const log: string[] = [];
  backoff.note(LONG_TASK_MS);
  const first = backoff.run(
    jobOf(() => {
      log.push('first');
      hold(LONG_TASK_MS);
    }),
  );
  const second = backoff.run(jobOf(() => log.push('second')));
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
  expect(() => backoff.run(jobOf(fail))).toThrow('out of order');
  backoff.note(LONG_TASK_MS);
  await expect(backoff.run(jobOf(fail))).rejects.toThrow('out of order');
});
