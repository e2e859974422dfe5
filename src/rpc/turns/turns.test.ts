import { beforeEach, describe, expect, test } from 'vitest';
import { SENDS_FIRST_MS, WAITING_CALLS_MAX } from '../../limits.ts';
import { LongWork } from '../../long-work.ts';
import { WITHOUT_WAITING } from '../../time.testing.ts';
import type { Time } from '../../time.ts';
import type { Call } from '../envelope/envelope.ts';
import { CallCosts, kindOf } from './call-costs.ts';
import { type TurnAsking, Turns } from './turns.ts';

/** A time that goes on with the work that is done in it, and with the turns of the event loop while a timer runs. */
class WorkTime implements Time {
  #now = 0;
  #ticking: NodeJS.Timeout | undefined;
  readonly #timers = new Set<{ readonly due: number; readonly callback: () => void }>();

  now(): number {
    return this.#now;
  }

  wallNow(): number {
    return this.#now;
  }

  /** Lets so many milliseconds pass. */
  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { due: this.#now + milliseconds, callback };
    this.#timers.add(timer);
    this.#ticking ??= setTimeout(() => this.#tick());
    return () => void this.#timers.delete(timer);
  }

  every(): () => void {
    throw new Error('nothing here comes again and again');
  }

  soon(callback: () => void): void {
    setImmediate(callback);
  }

  /** The event loop is back at its timers: a millisecond has passed. */
  #tick(): void {
    this.pass(1);
    const due = [...this.#timers].filter((timer) => timer.due <= this.#now);
    for (const timer of due.sort((one, other) => one.due - other.due)) {
      if (this.#timers.delete(timer)) timer.callback();
    }
    this.#ticking = this.#timers.size === 0 ? undefined : setTimeout(() => this.#tick());
  }
}

let time: WorkTime;

beforeEach(() => {
  time = new WorkTime();
});

/** Turns in the time of the test. */
function turnsOf(roundMsMax: number, costs?: CallCosts, longWork?: LongWork): Turns {
  return new Turns(roundMsMax, costs, time, longWork);
}

/** Work that takes so many milliseconds and says when it ran. */
function work(name: string, log: string[], milliseconds = 0): () => string {
  return () => {
    time.pass(milliseconds);
    log.push(name);
    return name;
  };
}

/** Somebody who asks, of an address of his own unless it is given. */
function somebody(client = String(Math.random())): TurnAsking {
  return { caller: { client } };
}

function callOf(method: string): Call {
  return { kind: 'call', id: 1, method, parameters: [] };
}

/** A turn of the event loop. */
function loop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

describe('take', () => {
  test('default', () => {
    const turns = turnsOf(1_000);
    const log: string[] = [];
    expect(turns.take(somebody(), work('first', log))).toBe('first');
    expect(turns.take(somebody(), work('second', log))).toBe('second');
  });

  test('behavior: when a round has taken its time, the event loop goes round first', async () => {
    const turns = turnsOf(2);
    const log: string[] = [];
    turns.take(somebody(), work('first', log, 3));
    const waiting = [
      turns.take(somebody(), work('second', log, 3)),
      turns.take(somebody(), work('third', log, 3)),
      turns.take(somebody(), work('fourth', log, 3)),
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

  test('behavior: what is ready goes out before a round that others waited for, and no sooner', async () => {
    const turns = turnsOf(2);
    const log: string[] = [];
    turns.beforeRounds(() => log.push('ready'));
    turns.take(somebody(), work('first', log, 3));
    await Promise.all([
      turns.take(somebody(), work('second', log, 3)),
      turns.take(somebody(), work('third', log, 3)),
    ]);
    expect(log).toEqual(['first', 'ready', 'second', 'ready', 'third']);
  });

  test('behavior: while others arrive, the pause is as long as the round', async () => {
    const turns = turnsOf(2);
    const log: string[] = [];
    turns.take(somebody(), work('first', log, 30));
    const second = turns.take(somebody(), work('second', log));
    while (!log.includes('second')) {
      turns.noticeArrival();
      await loop();
      time.pass(1);
    }
    expect(await second).toBe('second');
    expect(time.now()).toBeGreaterThanOrEqual(2 * 30);
  });

  test('behavior: a short call of somebody else does not wait for the pause after a long one', async () => {
    const turns = turnsOf(10, undefined, new LongWork(WITHOUT_WAITING));
    const log: string[] = [];
    const [busy, rare] = [somebody(), somebody()];
    turns.take(busy, work('long', log, 1_000));
    turns.noticeArrival();
    const waiting = [turns.take(busy, work('long', log, 1_000)), turns.take(rare, work('short', log, 1))];
    // Clients go on arriving: so the pause goes on.
    while (!log.includes('short')) {
      turns.noticeArrival();
      await loop();
    }
    expect(log).toEqual(['long', 'short']);
    expect(time.now()).toBeLessThan(2 * 1_000);
    time.pass(1_000);
    await Promise.all(waiting);
    expect(log).toEqual(['long', 'short', 'long']);
  });

  test('behavior: what is answered in a round goes out before a call that takes long', async () => {
    const costs = new CallCosts();
    costs.note(kindOf(callOf('long')), 1_000);
    const turns = turnsOf(10, costs);
    const log: string[] = [];
    const [busy, rare] = [somebody(), somebody()];
    const ask = async (who: TurnAsking, name: string) => {
      await turns.take({ ...who, call: callOf(name) }, work(name, log));
      log.push(`${name} is answered`);
    };
    turns.take(busy, work('first', log, 12));
    await Promise.all([ask(rare, 'short'), ask(busy, 'long')]);
    expect(log).toEqual(['first', 'short', 'short is answered', 'long', 'long is answered']);
  });

  test('behavior: a short send and a short call do not wait for the rest after long work', async () => {
    let end: () => void = () => undefined;
    const longWork = new LongWork({
      soon: (callback) => callback(),
      after: (_milliseconds, callback) => {
        end = callback;
        return () => undefined;
      },
    });
    const turns = turnsOf(10, undefined, longWork);
    const log: string[] = [];
    longWork.note(1_000);
    const waiting = [
      turns.take(somebody(), work('call', log)),
      turns.take({ ...somebody(), isSend: true }, work('send', log)),
    ];
    await Promise.all(waiting);
    expect(log.toSorted()).toEqual(['call', 'send']);
    expect(longWork.isResting()).toBe(true);
    end();
  });

  test('behavior: who has computed least is next, and who came first among equals', async () => {
    const turns = turnsOf(0);
    const log: string[] = [];
    const [busy, rare, other] = [somebody(), somebody(), somebody()];
    await turns.take(busy, work('busy', log, 10));
    await Promise.all([
      turns.take(busy, work('busy', log, 1)),
      turns.take(busy, work('busy', log, 1)),
      turns.take(rare, work('rare', log)),
      turns.take(other, work('other', log)),
    ]);
    expect(log).toEqual(['busy', 'rare', 'other', 'busy', 'busy']);
  });

  test('behavior: within a turn work runs at once', async () => {
    const turns = turnsOf(0);
    const log: string[] = [];
    const outer = turns.take(somebody(), () => {
      log.push('outer');
      return turns.take(somebody(), work('inner', log));
    });
    expect(log).toEqual([]);
    expect(await outer).toBe('inner');
    expect(log).toEqual(['outer', 'inner']);
  });

  test('behavior: who is gone gives up his turn', async () => {
    const turns = turnsOf(0);
    const log: string[] = [];
    let isGone = false;
    const gone = turns.take({ caller: { client: 'a', isGone: () => isGone } }, work('gone', log));
    const there = turns.take({ caller: { client: 'b', isGone: () => false } }, work('there', log));
    isGone = true;
    expect([await gone, await there]).toEqual([undefined, 'there']);
    expect(log).toEqual(['there']);
  });

  test('behavior: a promise is waited for outside of the turn', async () => {
    const turns = turnsOf(0);
    const log: string[] = [];
    const slow = turns.take(somebody(), () => loop().then(loop).then(work('slow', log)));
    const quick = turns.take(somebody(), work('quick', log));
    expect([await slow, await quick]).toEqual(['slow', 'quick']);
    expect(log).toEqual(['quick', 'slow']);
  });

  test('behavior: what is sent goes before what is asked', async () => {
    const turns = turnsOf(0);
    const log: string[] = [];
    await Promise.all([
      turns.take(somebody(), work('call', log)),
      turns.take(somebody(), work('call', log)),
      turns.take({ ...somebody(), isSend: true }, work('send', log)),
      turns.take({ ...somebody(), isSend: true }, work('send', log)),
    ]);
    expect(log).toEqual(['send', 'send', 'call', 'call']);
  });

  test('behavior: what is sent does not wait for the pause after a long call', () => {
    const turns = turnsOf(2);
    const log: string[] = [];
    turns.take(somebody(), work('call', log, 5));
    expect(turns.take(somebody(), work('later', log))).toBeInstanceOf(Promise);
    expect(turns.take({ ...somebody(), isSend: true }, work('send', log))).toBe('send');
  });

  test('behavior: when sends have gone first for a while, there is a call between them', async () => {
    const turns = turnsOf(0);
    const log: string[] = [];
    const send = () => turns.take({ ...somebody(), isSend: true }, work('send', log, SENDS_FIRST_MS));
    await Promise.all([turns.take(somebody(), work('call', log)), send(), send(), send()]);
    expect(log).toEqual(['send', 'call', 'send', 'send']);
  });

  test('behavior: kinds of calls that were long once wait for those that were short', async () => {
    const turns = turnsOf(0);
    const log: string[] = [];
    const [long, short] = [callOf('long'), callOf('short')];
    const ask = (call: Call, milliseconds: number) =>
      turns.take({ ...somebody('one'), call }, work(call.method, log, milliseconds));
    await Promise.all([ask(long, 20), ask(short, 0)]);
    await Promise.all([ask(long, 1), ask(long, 1), ask(short, 0)]);
    expect(log).toEqual(['long', 'short', 'short', 'long', 'long']);
  });

  test('error: more wait than may', async () => {
    const turns = turnsOf(0);
    const { caller } = somebody();
    const turnsOfOne = Array.from({ length: WAITING_CALLS_MAX / 2 }, () => turns.take({ caller }, () => 1));
    await expect(turns.take({ caller }, () => 1)).rejects.toThrow(
      '2048 calls of this client wait, its share of the limit of 4096: call again when some are answered',
    );
    const rest = turns.take({ caller, isBegun: true }, () => 'rest');
    const other = turns.take(somebody(), () => 'other');
    expect(await Promise.all([rest, other])).toEqual(['rest', 'other']);
    await Promise.all(turnsOfOne);
  });

  test('error: what work throws reaches whoever asked, and the next one has his turn', async () => {
    const failure = new RangeError('no');
    const fail = () => {
      throw failure;
    };
    expect(() => turnsOf(1_000).take(somebody(), fail)).toThrow(failure);
    const turns = turnsOf(0);
    const failing = turns.take(somebody(), fail);
    const next = turns.take(somebody(), () => 'next');
    await expect(failing).rejects.toBe(failure);
    expect(await next).toBe('next');
  });
});
