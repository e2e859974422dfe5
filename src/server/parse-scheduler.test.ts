import { expect, test } from 'vitest';
import { ACCEPT_BURST_MS, ACCEPT_TIME_SHARE, LOOP_PARSE_MS, LOOP_REQUESTS_MAX } from '../limits.ts';
import type { LoopTask } from '../scheduling/index.ts';
import { ParseScheduler } from './parse-scheduler.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Turns on a clock that each piece of work moves by so much, and what was done in them. */
function setUp(workMs: number, requests = 0) {
  let now = 0;
  const done: string[] = [];
  const turns = new ParseScheduler(() => now);
  const parse = (name: string): boolean =>
    turns.parse(() => {
      done.push(name);
      now += workMs;
      return requests;
    });
  const wait = (client: string, name: string, pieces = 1): LoopTask => {
    let left = pieces;
    const parsing: LoopTask = {
      client,
      runSlice: () => {
        parse(name);
        left -= 1;
        if (left > 0) turns.wait(parsing);
      },
    };
    turns.wait(parsing);
    return parsing;
  };
  const pass = (milliseconds: number): void => {
    now += milliseconds;
  };
  return { turns, done, parse, wait, pass };
}

test('default: a turn of the event loop has its time, and the next one as much', async () => {
  const { parse } = setUp(LOOP_PARSE_MS / 2);
  expect([parse('a'), parse('b'), parse('c')]).toEqual([true, true, false]);
  await turn();
  expect(parse('c')).toBe(true);
});

test('behavior: requests that have come are answered before more are parsed', async () => {
  const { parse } = setUp(0, LOOP_REQUESTS_MAX);
  expect([parse('a'), parse('b')]).toEqual([true, false]);
  await turn();
  expect(parse('b')).toBe(true);
});

test('behavior: clients take turns, and the connections of each', async () => {
  const { done, wait } = setUp(LOOP_PARSE_MS / 4);
  for (const name of ['a1', 'a2', 'a3']) wait('a', name, 2);
  wait('b', 'b1', 2);
  await turn();
  expect(done).toEqual(['a1', 'b1', 'a2', 'b1']);
  await turn();
  expect(done.slice(4)).toEqual(['a3', 'a1', 'a2', 'a3']);
});

test('behavior: who waits goes before what comes anew', async () => {
  const { done, parse, wait } = setUp(LOOP_PARSE_MS);
  wait('a', 'first');
  wait('a', 'second');
  await turn();
  expect(parse('new')).toBe(false);
  await turn();
  expect(done).toEqual(['first', 'second']);
});

test('behavior: what it would make late is done before those that wait go on, and not for nobody', async () => {
  const { turns, done, parse, wait } = setUp(LOOP_PARSE_MS);
  turns.beforeTurns(() => done.push('before'));
  parse('new');
  await turn();
  wait('a', 'waiting', 2);
  await turn();
  await turn();
  expect(done).toEqual(['new', 'before', 'waiting', 'before', 'waiting']);
});

test('behavior: who has given up is passed over', async () => {
  const { turns, done, wait } = setUp(LOOP_PARSE_MS);
  const gone = wait('a', 'gone');
  wait('a', 'next');
  turns.remove(gone);
  await turn();
  expect(done).toEqual(['next']);
});

test('behavior: nothing is parsed in the turn that accepts a connection, until a turn accepts none', async () => {
  const { turns, done, parse, wait, pass } = setUp(0);
  wait('a', 'waiting');
  for (let connections = 0; connections < 4; connections += 1) {
    turns.noteAccepted();
    expect(parse('new')).toBe(false);
    pass(ACCEPT_BURST_MS / 4);
    await turn();
    expect(parse('new')).toBe(false);
    expect(done).toEqual([]);
  }
  await turn();
  expect(done).toEqual(['waiting']);
  expect(parse('new')).toBe(true);
});

test('behavior: without end of new connections, parsing has its share of the time', async () => {
  const { turns, done, wait, pass } = setUp(LOOP_PARSE_MS);
  wait('a', 'waiting', Number.POSITIVE_INFINITY);
  let [allMs, minimalMs] = [0, 0];
  while (allMs < 1_000) {
    const before = done.length;
    turns.noteAccepted();
    pass(1);
    await turn();
    const turnMs = 1 + (done.length - before) * LOOP_PARSE_MS;
    allMs += turnMs;
    if (done.length === before) minimalMs += turnMs;
  }
  expect(minimalMs / allMs).toBeGreaterThan(ACCEPT_TIME_SHARE - 0.15);
  expect(minimalMs / allMs).toBeLessThan(ACCEPT_TIME_SHARE + 0.15);
});
