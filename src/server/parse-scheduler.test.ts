import { expect, test } from 'vitest';
import type { LoopTask } from '../scheduling/index.ts';
import {
  ACCEPT_BURST_MS,
  ACCEPT_TIME_SHARE,
  LOOP_PARSE_MS,
  LOOP_REQUESTS_MAX,
  ParseScheduler,
} from './parse-scheduler.ts';

const iteration = () => new Promise((resolve) => setImmediate(resolve));

/** Creates a scheduler on a clock that each parsing advances, and the list of parsed names. */
function setUp(workMs: number, requests = 0) {
  let now = 0;
  const done: string[] = [];
  const scheduler = new ParseScheduler(() => now);
  const parse = (name: string): boolean =>
    scheduler.parse(() => {
      done.push(name);
      now += workMs;
      return requests;
    });
  const enqueue = (client: string, name: string, pieces = 1): LoopTask => {
    let left = pieces;
    const parsing: LoopTask = {
      client,
      runSlice: () => {
        parse(name);
        left -= 1;
        if (left > 0) scheduler.enqueue(parsing);
      },
    };
    scheduler.enqueue(parsing);
    return parsing;
  };
  const pass = (milliseconds: number): void => {
    now += milliseconds;
  };
  return { scheduler, done, parse, enqueue, pass };
}

test('default: each iteration of the event loop has the same budget', async () => {
  const { parse } = setUp(LOOP_PARSE_MS / 2);
  expect([parse('a'), parse('b'), parse('c')]).toEqual([true, true, false]);
  await iteration();
  expect(parse('c')).toBe(true);
});

test('behavior: the number of requests bounds an iteration, too', async () => {
  const { parse } = setUp(0, LOOP_REQUESTS_MAX);
  expect([parse('a'), parse('b')]).toEqual([true, false]);
  await iteration();
  expect(parse('b')).toBe(true);
});

test('behavior: parsing is round-robin between clients, and between the connections of each', async () => {
  const { done, enqueue } = setUp(LOOP_PARSE_MS / 4);
  for (const name of ['a1', 'a2', 'a3']) enqueue('a', name, 2);
  enqueue('b', 'b1', 2);
  await iteration();
  expect(done).toEqual(['a1', 'b1', 'a2', 'b1']);
  await iteration();
  expect(done.slice(4)).toEqual(['a3', 'a1', 'a2', 'a3']);
});

test('behavior: queued tasks run before new ones', async () => {
  const { done, parse, enqueue } = setUp(LOOP_PARSE_MS);
  enqueue('a', 'first');
  enqueue('a', 'second');
  await iteration();
  expect(parse('new')).toBe(false);
  await iteration();
  expect(done).toEqual(['first', 'second']);
});

test('behavior: callbacks run before queued tasks, and only if tasks are queued', async () => {
  const { scheduler, done, parse, enqueue } = setUp(LOOP_PARSE_MS);
  scheduler.beforeTasks(() => done.push('before'));
  parse('new');
  await iteration();
  enqueue('a', 'waiting', 2);
  await iteration();
  await iteration();
  expect(done).toEqual(['new', 'before', 'waiting', 'before', 'waiting']);
});

test('behavior: removed tasks are skipped', async () => {
  const { scheduler, done, enqueue } = setUp(LOOP_PARSE_MS);
  const gone = enqueue('a', 'gone');
  enqueue('a', 'next');
  scheduler.remove(gone);
  await iteration();
  expect(done).toEqual(['next']);
});

test('behavior: parsing is deferred until an iteration accepts no connection', async () => {
  const { scheduler, done, parse, enqueue, pass } = setUp(0);
  enqueue('a', 'waiting');
  for (let connections = 0; connections < 4; connections += 1) {
    scheduler.noteAccepted();
    expect(parse('new')).toBe(false);
    pass(ACCEPT_BURST_MS / 4);
    await iteration();
    expect(parse('new')).toBe(false);
    expect(done).toEqual([]);
  }
  await iteration();
  expect(done).toEqual(['waiting']);
  expect(parse('new')).toBe(true);
});

test('behavior: parsing gets its share of the time while connections keep arriving', async () => {
  const { scheduler, done, enqueue, pass } = setUp(LOOP_PARSE_MS);
  enqueue('a', 'waiting', Number.POSITIVE_INFINITY);
  let [allMs, minimalMs] = [0, 0];
  while (allMs < 1_000) {
    const before = done.length;
    scheduler.noteAccepted();
    pass(1);
    await iteration();
    const turnMs = 1 + (done.length - before) * LOOP_PARSE_MS;
    allMs += turnMs;
    if (done.length === before) minimalMs += turnMs;
  }
  expect(minimalMs / allMs).toBeGreaterThan(ACCEPT_TIME_SHARE - 0.15);
  expect(minimalMs / allMs).toBeLessThan(ACCEPT_TIME_SHARE + 0.15);
});
