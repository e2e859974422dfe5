import { describe, expect, test } from 'vitest';
import type { Caller } from './callers.ts';
import { Turns } from './turns.ts';

/** Work that takes so many milliseconds and says when it ran. */
function work(name: string, log: string[], milliseconds = 0): () => string {
  return () => {
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
    log.push(name);
    return name;
  };
}

/** A turn of the event loop. */
function loop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

describe('take', () => {
  test('default', () => {
    const turns = new Turns(1_000);
    const log: string[] = [];
    expect(turns.take({}, work('first', log))).toBe('first');
    expect(turns.take({}, work('second', log))).toBe('second');
  });

  test('behavior: when a round has taken its time, the event loop goes round first', async () => {
    const turns = new Turns(2);
    const log: string[] = [];
    turns.take({}, work('first', log, 3));
    const waiting = [
      turns.take({}, work('second', log, 3)),
      turns.take({}, work('third', log, 3)),
      turns.take({}, work('fourth', log, 3)),
    ];
    const quick = async () => {
      for (let count = 0; count < 3; count += 1) {
        await loop();
        log.push('quick');
      }
    };
    await Promise.all([...waiting, quick()]);
    expect(log).toEqual(['first', 'second', 'quick', 'third', 'quick', 'fourth', 'quick']);
  });

  test('behavior: while others arrive, the pause is as long as the round', async () => {
    const turns = new Turns(2);
    const log: string[] = [];
    turns.take({}, work('first', log, 30));
    const second = turns.take({}, work('second', log));
    while (!log.includes('second')) {
      turns.noticeArrival();
      log.push('arrival');
      await loop();
    }
    expect(await second).toBe('second');
    expect(log.indexOf('second')).toBeGreaterThan(5);
  });

  test('behavior: who has computed least is next, and who came first among equals', async () => {
    const turns = new Turns(0);
    const log: string[] = [];
    const [busy, rare, other]: Caller[] = [{}, {}, {}];
    await turns.take(busy ?? {}, work('busy', log, 3));
    await Promise.all([
      turns.take(busy ?? {}, work('busy', log, 1)),
      turns.take(busy ?? {}, work('busy', log, 1)),
      turns.take(rare ?? {}, work('rare', log)),
      turns.take(other ?? {}, work('other', log)),
    ]);
    expect(log).toEqual(['busy', 'rare', 'other', 'busy', 'busy']);
  });

  test('behavior: within a turn work runs at once', async () => {
    const turns = new Turns(0);
    const log: string[] = [];
    const outer = turns.take({}, () => {
      log.push('outer');
      return turns.take({}, work('inner', log));
    });
    expect(log).toEqual([]);
    expect(await outer).toBe('inner');
    expect(log).toEqual(['outer', 'inner']);
  });

  test('behavior: who is gone gives up his turn', async () => {
    const turns = new Turns(0);
    const log: string[] = [];
    let isGone = false;
    const gone = turns.take({ isGone: () => isGone }, work('gone', log));
    const there = turns.take({ isGone: () => false }, work('there', log));
    isGone = true;
    expect([await gone, await there]).toEqual([undefined, 'there']);
    expect(log).toEqual(['there']);
  });

  test('behavior: a promise is waited for outside of the turn', async () => {
    const turns = new Turns(0);
    const log: string[] = [];
    const slow = turns.take({}, () => loop().then(loop).then(work('slow', log)));
    const quick = turns.take({}, work('quick', log));
    expect([await slow, await quick]).toEqual(['slow', 'quick']);
    expect(log).toEqual(['quick', 'slow']);
  });

  test('error: what work throws reaches whoever asked, and the next one has his turn', async () => {
    const failure = new RangeError('no');
    const fail = () => {
      throw failure;
    };
    expect(() => new Turns(1_000).take({}, fail)).toThrow(failure);
    const turns = new Turns(0);
    const failing = turns.take({}, fail);
    const next = turns.take({}, () => 'next');
    await expect(failing).rejects.toBe(failure);
    expect(await next).toBe('next');
  });
});
