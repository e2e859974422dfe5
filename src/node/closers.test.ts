import { expect, test } from 'vitest';
import { Closers } from './closers.ts';

test('default: closes in reverse order, each after the previous one has finished', async () => {
  const log: string[] = [];
  const closers = new Closers();
  closers.add(() => {
    log.push('store');
  });
  closers.add(async () => {
    log.push('server begins');
    await Promise.resolve();
    log.push('server ends');
  });
  await closers.close();
  expect(log).toEqual(['server begins', 'server ends', 'store']);
});

test('behavior: a second call waits for the first and does not close anything again', async () => {
  let closed = 0;
  const closers = new Closers();
  closers.add(() => {
    closed += 1;
  });
  await Promise.all([closers.close(), closers.close()]);
  await closers.close();
  expect(closed).toBe(1);
});

test('error: a failure does not keep the others open', async () => {
  const failure = new Error('server');
  let closed = false;
  const closers = new Closers();
  closers.add(() => {
    closed = true;
  });
  closers.add(() => Promise.reject(failure));
  await expect(closers.close()).rejects.toBe(failure);
  expect(closed).toBe(true);
});
