import { expect, test } from 'vitest';
import { HistoryCache } from './history-cache.ts';

test('behavior: a long value is written and parsed between other events', async () => {
  const cache = new HistoryCache(undefined);
  const value = Array.from({ length: 150_000 }, (_, pc) => ({ pc, op: 'PUSH1', stack: ['0x1', null] }));
  for (const fetch of [() => Promise.resolve(value), () => Promise.reject(new Error('not cached'))]) {
    let events = 0;
    let isComplete = false;
    const note = (): void => {
      events += 1;
      if (!isComplete) setImmediate(note);
    };
    setImmediate(note);
    const [found, again] = await Promise.all([cache.of('trace', fetch), cache.of('trace', fetch)]);
    isComplete = true;
    expect(events).toBeGreaterThan(3);
    expect(found).toEqual(value);
    expect(again).toEqual(value);
    expect(again).not.toBe(found);
  }
});
