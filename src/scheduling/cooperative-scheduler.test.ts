import { beforeEach, describe, expect, test } from 'vitest';
import { WITHOUT_WAITING } from '../time/time.testing.ts';
import type { Time } from '../time/time.ts';
import { CooperativeScheduler, CpuBackoff, type Task } from './cooperative-scheduler.ts';
import { CallCosts, type CostedCall, kindOf, QUEUED_CALLS_MAX } from './fair-queue.ts';

/** A clock that advances with the work of tasks, and with iterations of the event loop while a timer runs. */
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

/** CooperativeScheduler in the time of the test. */
function schedulerOf(roundMsMax: number, costs?: CallCosts, backoff?: CpuBackoff): CooperativeScheduler {
  return new CooperativeScheduler(roundMsMax, costs, time, backoff);
}

/** A task that takes so many milliseconds and returns its start. */
function work(name: string, log: string[], milliseconds = 0): () => string {
  return () => {
    time.pass(milliseconds);
    log.push(name);
    return name;
  };
}

/** A caller, by default of a separate address. */
function somebody(client = String(Math.random())): Task {
  return { caller: { client } };
}

function callOf(method: string): CostedCall {
  return { method, parameters: [] };
}

/** Waits for an iteration of the event loop. */
function loop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Loads a scheduler with senders and a caller of one address, of whose tasks some take long by chance. */
async function loadWithSenders(senders: number, milliseconds: number) {
  const scheduler = schedulerOf(2);
  const waits: Record<'send' | 'receipt' | 'call', number[]> = { send: [], receipt: [], call: [] };
  let count = 0;
  const run = async (method: keyof typeof waits, connection: object, cost: number): Promise<void> => {
    const asked = time.now();
    scheduler.noticeArrival();
    const task = { caller: { client: 'same', connection }, call: callOf(method), isSend: method === 'send' };
    await scheduler.run(task, () => {
      count += 1;
      // As garbage collection does, of whatever runs.
      time.pass(count % 197 === 0 ? 12 : cost);
      waits[method].push(time.now() - asked);
    });
  };
  const isOver = (): boolean => time.now() >= milliseconds;
  const send = async (): Promise<void> => {
    const connection = {};
    while (!isOver()) {
      await run('send', connection, 0.5);
      await loop();
      await run('receipt', connection, 0.06);
      await loop();
    }
  };
  const calls: Promise<void>[] = [];
  const call = async (): Promise<void> => {
    while (!isOver()) {
      if (time.now() > 5 * calls.length) calls.push(run('call', {}, 0.1));
      await loop();
      time.pass(0.05);
    }
  };
  await Promise.all([call(), ...Array.from({ length: senders }, send)]);
  await Promise.all(calls);
  return waits;
}

/** Returns the time within which 99 of 100 are over. */
function percentile99(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? 0;
}

describe('run', () => {
  test('default', () => {
    const scheduler = schedulerOf(1_000);
    const log: string[] = [];
    expect(scheduler.run(somebody(), work('first', log))).toBe('first');
    expect(scheduler.run(somebody(), work('second', log))).toBe('second');
  });

  test('behavior: the event loop runs after a round that used up its time slice', async () => {
    const scheduler = schedulerOf(2);
    const log: string[] = [];
    scheduler.run(somebody(), work('first', log, 3));
    const waiting = [
      scheduler.run(somebody(), work('second', log, 3)),
      scheduler.run(somebody(), work('third', log, 3)),
      scheduler.run(somebody(), work('fourth', log, 3)),
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

  test('behavior: ready responses are written before a delayed round, and no sooner', async () => {
    const scheduler = schedulerOf(2);
    const log: string[] = [];
    scheduler.beforeRounds(() => log.push('ready'));
    scheduler.run(somebody(), work('first', log, 3));
    await Promise.all([
      scheduler.run(somebody(), work('second', log, 3)),
      scheduler.run(somebody(), work('third', log, 3)),
    ]);
    expect(log).toEqual(['first', 'ready', 'second', 'ready', 'third']);
  });

  test('behavior: while others arrive, the pause is as long as the round', async () => {
    const scheduler = schedulerOf(2);
    const log: string[] = [];
    scheduler.run(somebody(), work('first', log, 30));
    const second = scheduler.run(somebody(), work('second', log));
    while (!log.includes('second')) {
      scheduler.noticeArrival();
      await loop();
      time.pass(1);
    }
    expect(await second).toBe('second');
    expect(time.now()).toBeGreaterThanOrEqual(2 * 30);
  });

  test('behavior: a short call of another client does not wait for the pause after a long call', async () => {
    const scheduler = schedulerOf(10, undefined, new CpuBackoff(WITHOUT_WAITING));
    const log: string[] = [];
    const [busy, rare] = [somebody(), somebody()];
    scheduler.run(busy, work('long', log, 1_000));
    scheduler.noticeArrival();
    const waiting = [
      scheduler.run(busy, work('long', log, 1_000)),
      scheduler.run(rare, work('short', log, 1)),
    ];
    // Clients keep arriving, so the pause continues.
    while (!log.includes('short')) {
      scheduler.noticeArrival();
      await loop();
    }
    expect(log).toEqual(['long', 'short']);
    expect(time.now()).toBeLessThan(2 * 1_000);
    time.pass(1_000);
    await Promise.all(waiting);
    expect(log).toEqual(['long', 'short', 'long']);
  });

  test('behavior: responses of a round are written before a long call runs', async () => {
    const costs = new CallCosts();
    costs.note(kindOf(callOf('long')), 1_000);
    const scheduler = schedulerOf(10, costs);
    const log: string[] = [];
    const [busy, rare] = [somebody(), somebody()];
    const ask = async (who: Task, name: string) => {
      await scheduler.run({ ...who, call: callOf(name) }, work(name, log));
      log.push(`${name} is answered`);
    };
    scheduler.run(busy, work('first', log, 12));
    await Promise.all([ask(rare, 'short'), ask(busy, 'long')]);
    expect(log).toEqual(['first', 'short', 'short is answered', 'long', 'long is answered']);
  });

  test('behavior: a short send and a short call do not wait for the backoff after a long task', async () => {
    let end: () => void = () => undefined;
    const backoff = new CpuBackoff({
      now: () => time.now(),
      soon: (callback) => callback(),
      after: (_milliseconds, callback) => {
        end = callback;
        return () => undefined;
      },
    });
    const scheduler = schedulerOf(10, undefined, backoff);
    const log: string[] = [];
    backoff.note(1_000);
    const waiting = [
      scheduler.run(somebody(), work('call', log)),
      scheduler.run({ ...somebody(), isSend: true }, work('send', log)),
    ];
    await Promise.all(waiting);
    expect(log.toSorted()).toEqual(['call', 'send']);
    expect(backoff.isResting()).toBe(true);
    end();
  });

  test('behavior: the client with the least CPU time runs next, in FIFO order among equals', async () => {
    const scheduler = schedulerOf(0);
    const log: string[] = [];
    const [busy, rare, other] = [somebody(), somebody(), somebody()];
    await scheduler.run(busy, work('busy', log, 10));
    await Promise.all([
      scheduler.run(busy, work('busy', log, 1)),
      scheduler.run(busy, work('busy', log, 1)),
      scheduler.run(rare, work('rare', log)),
      scheduler.run(other, work('other', log)),
    ]);
    expect(log).toEqual(['busy', 'rare', 'other', 'busy', 'busy']);
  });

  test('behavior: a nested task runs immediately', async () => {
    const scheduler = schedulerOf(0);
    const log: string[] = [];
    const outer = scheduler.run(somebody(), () => {
      log.push('outer');
      return scheduler.run(somebody(), work('inner', log));
    });
    expect(log).toEqual([]);
    expect(await outer).toBe('inner');
    expect(log).toEqual(['outer', 'inner']);
  });

  test('behavior: a task of a disconnected client is dropped', async () => {
    const scheduler = schedulerOf(0);
    const log: string[] = [];
    let isGone = false;
    const gone = scheduler.run({ caller: { client: 'a', isGone: () => isGone } }, work('gone', log));
    const there = scheduler.run({ caller: { client: 'b', isGone: () => false } }, work('there', log));
    isGone = true;
    expect([await gone, await there]).toEqual([undefined, 'there']);
    expect(log).toEqual(['there']);
  });

  test('behavior: a pending promise does not block the scheduler', async () => {
    const scheduler = schedulerOf(0);
    const log: string[] = [];
    const slow = scheduler.run(somebody(), () => loop().then(loop).then(work('slow', log)));
    const quick = scheduler.run(somebody(), work('quick', log));
    expect([await slow, await quick]).toEqual(['slow', 'quick']);
    expect(log).toEqual(['quick', 'slow']);
  });

  test('behavior: rounds of sends and of calls alternate, sends first', async () => {
    const scheduler = schedulerOf(0);
    const log: string[] = [];
    await Promise.all([
      scheduler.run(somebody(), work('call', log)),
      scheduler.run(somebody(), work('call', log)),
      scheduler.run({ ...somebody(), isSend: true }, work('send', log)),
      scheduler.run({ ...somebody(), isSend: true }, work('send', log)),
    ]);
    expect(log).toEqual(['send', 'call', 'send', 'call']);
  });

  test('behavior: a send does not wait for the pause after a long call', () => {
    const scheduler = schedulerOf(2);
    const log: string[] = [];
    scheduler.run(somebody(), work('call', log, 5));
    expect(scheduler.run(somebody(), work('later', log))).toBeInstanceOf(Promise);
    expect(scheduler.run({ ...somebody(), isSend: true }, work('send', log))).toBe('send');
  });

  test('behavior: a call beside 64 senders of its address runs soon, and each sender gets its turn', async () => {
    const { call, receipt, send } = await loadWithSenders(64, 4_000);
    expect(call.length).toBeGreaterThan(700);
    expect(percentile99(call)).toBeLessThan(20);
    expect(percentile99(receipt)).toBeLessThan(50);
    // All 64 take 32 ms, and some of them longer by chance.
    expect(percentile99(send)).toBeLessThan(80);
  });

  test('behavior: methods that took long before run after methods that were short', async () => {
    const scheduler = schedulerOf(0);
    const log: string[] = [];
    const [long, short] = [callOf('long'), callOf('short')];
    const ask = (call: CostedCall, milliseconds: number) =>
      scheduler.run({ ...somebody('one'), call }, work(call.method, log, milliseconds));
    await Promise.all([ask(long, 20), ask(short, 0)]);
    await Promise.all([ask(long, 1), ask(long, 1), ask(short, 0)]);
    expect(log).toEqual(['long', 'short', 'short', 'long', 'long']);
  });

  test('behavior: a task with many steps is run in slices, and others run between them', async () => {
    const scheduler = schedulerOf(2);
    const log: string[] = [];
    const quick = somebody();
    scheduler.run(quick, () => undefined);
    const slices: number[] = [];
    const onYield = () => log.push('yield');
    const onSlice = (milliseconds: number) => slices.push(milliseconds);
    const job = function* (): Generator<void, string> {
      for (let steps = 1; ; steps += 1) {
        work('step', log, 1)();
        if (steps === 5) return 'long';
        yield;
      }
    };
    const long = scheduler.run({ ...somebody(), onYield, onSlice }, job());
    const short = scheduler.run(quick, work('short', log));
    expect(await Promise.all([long, short])).toEqual(['long', 'short']);
    expect(log.slice(0, 4)).toEqual(['step', 'step', 'yield', 'short']);
    expect(log.slice(4)).toEqual(['step', 'step', 'yield', 'step']);
    expect(slices).toEqual([2, 2, 1]);
  });

  test('behavior: a yielded task is not resumed for a disconnected client', async () => {
    const scheduler = schedulerOf(0);
    const log: string[] = [];
    let isGone = false;
    const caller = { client: 'a', isGone: () => isGone };
    const job = function* (): Generator<void, string> {
      for (;;) {
        isGone = true;
        work('step', log)();
        yield;
      }
    };
    const task = scheduler.run({ caller }, job());
    expect(await task).toBe(undefined);
    expect(log).toEqual(['step']);
  });

  test('error: a task that cannot be resumed', async () => {
    const refusal = new RangeError('no room');
    const onYield = () => {
      throw refusal;
    };
    const job = (function* (): Generator<void, void> {
      yield;
    })();
    await expect(schedulerOf(0).run({ ...somebody(), onYield }, job)).rejects.toBe(refusal);
  });

  test('error: more wait than may', async () => {
    const scheduler = schedulerOf(0);
    const { caller } = somebody();
    const turnsOfOne = Array.from({ length: QUEUED_CALLS_MAX / 2 }, () => scheduler.run({ caller }, () => 1));
    await expect(scheduler.run({ caller }, () => 1)).rejects.toThrow(
      '2048 calls of this client wait, its share of the limit of 4096: call again when some are answered',
    );
    const rest = scheduler.run({ caller, isBegun: true }, () => 'rest');
    const other = scheduler.run(somebody(), () => 'other');
    expect(await Promise.all([rest, other])).toEqual(['rest', 'other']);
    await Promise.all(turnsOfOne);
  });

  test('error: an exception rejects only the task that threw it, and the next one runs', async () => {
    const failure = new RangeError('no');
    const fail = () => {
      throw failure;
    };
    await expect(schedulerOf(1_000).run(somebody(), fail)).rejects.toBe(failure);
    const scheduler = schedulerOf(0);
    const failing = scheduler.run(somebody(), fail);
    const next = scheduler.run(somebody(), () => 'next');
    await expect(failing).rejects.toBe(failure);
    expect(await next).toBe('next');
  });

  test.each([
    [0, [1, 1, 2, 2, 2]],
    [3, [1, 2, 3, 2]],
    [30, [1, 2, 5]],
  ])(
    'behavior: rounds of sends that take %i ms to store last as long, up to 5 ms',
    async (storingMs, rounds) => {
      const scheduler = schedulerOf(2);
      const log: string[] = [];
      let isWithin = false;
      scheduler.runTogether((tasks) => {
        if (isWithin) return tasks();
        isWithin = true;
        const before = log.length;
        const result = tasks();
        time.pass(storingMs);
        isWithin = false;
        log.push(`stored ${log.length - before}`);
        return result;
      });
      const sender = { ...somebody(), isSend: true };
      const send = (): unknown => scheduler.run(sender, work('sent', log, 1));
      await Promise.all(Array.from({ length: 8 }, send));
      expect(log.filter((text) => text !== 'sent')).toEqual(rounds.map((count) => `stored ${count}`));
    },
  );

  test('error: a failure after the tasks of a round rejects all of them, and later ones run', async () => {
    const failure = new RangeError('no space');
    for (const roundMs of [1_000, 0]) {
      const scheduler = schedulerOf(roundMs);
      let isFailing = true;
      scheduler.runTogether((tasks) => {
        const result = tasks();
        if (isFailing) throw failure;
        return result;
      });
      await expect(scheduler.run(somebody(), () => 'a')).rejects.toBe(failure);
      const queued = ['b', 'c'].map((text) => scheduler.run(somebody(), () => text));
      for (const one of queued) await expect(one).rejects.toBe(failure);
      isFailing = false;
      expect(await scheduler.run(somebody(), () => 'd')).toBe('d');
    }
  });
});
