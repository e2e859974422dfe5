import { describe, expect, test } from 'vitest';
import {
  CallCosts,
  type CostedCall,
  FAIR_CLIENTS_MAX,
  FairQueue,
  QUEUED_CALLS_MAX,
  type Ticket,
} from './fair-queue.ts';
import type { ClientConnection } from './memory-budget.ts';

/** A call that takes so many milliseconds, which nobody knows before it has. */
interface Job {
  readonly name: string;
  readonly milliseconds: number;
}

const LONG = 1_000;

function callOf(method: string): CostedCall {
  return { method, parameters: [] };
}

/** Servers that run queued tasks on a simulated clock. */
class Servers {
  readonly queue: FairQueue<Job>;
  /** In the order in which they were begun. */
  readonly begun: string[] = [];
  readonly givenUp: string[] = [];
  readonly #busy: { readonly ticket: Ticket<Job>; readonly end: number }[] = [];
  readonly #count: number;
  now = 0;

  constructor(count = 1, costs = new CallCosts()) {
    this.#count = count;
    this.queue = new FairQueue(costs, ({ name }) => this.givenUp.push(name));
  }

  ask(name: string, milliseconds: number, caller: ClientConnection, method?: string): void {
    const call = method === undefined ? undefined : callOf(method);
    this.queue.push({ caller, call }, { name, milliseconds });
  }

  /** Runs until the next task is complete, and returns its name; undefined if none is left. */
  step(): string | undefined {
    this.#beginNext();
    this.#busy.sort((one, other) => one.end - other.end);
    const done = this.#busy.shift();
    if (done === undefined) return undefined;
    this.now = done.end;
    this.queue.end(done.ticket, done.ticket.item.milliseconds);
    this.#beginNext();
    return done.ticket.item.name;
  }

  /** Carries out all that waits. */
  finish(): readonly string[] {
    while (this.step() !== undefined);
    return this.begun;
  }

  #beginNext(): void {
    while (this.#busy.length < this.#count) {
      const ticket = this.queue.next();
      if (ticket === undefined) return;
      this.queue.begin(ticket);
      this.begun.push(ticket.item.name);
      this.#busy.push({ ticket, end: this.now + ticket.item.milliseconds });
    }
  }
}

/** 32 attackers of one address, each on a new connection for each of his long calls. */
function attack(servers: Servers, methodOf = (_: number): string | undefined => 'long') {
  let count = 0;
  const ask = (): void => {
    count += 1;
    servers.ask('attacker', LONG, { client: 'attackers' }, methodOf(count));
  };
  for (let index = 0; index < 32; index += 1) ask();
  return {
    /** Runs until another task is complete, for at most so many milliseconds, and returns its name. */
    until(milliseconds: number): string | undefined {
      const end = servers.now + milliseconds;
      while (servers.now < end) {
        const done = servers.step();
        if (done !== 'attacker') return done;
        ask();
      }
      return undefined;
    },
  };
}

describe('order', () => {
  test('default: requests are served in FIFO order', () => {
    const servers = new Servers();
    for (const name of ['a', 'b', 'c']) servers.ask(name, 1, { client: name });
    expect(servers.finish()).toEqual(['a', 'b', 'c']);
  });

  test('behavior: many connections of an address are worth one of another', () => {
    const servers = new Servers();
    for (let index = 0; index < 8; index += 1) servers.ask('many', 10, { client: 'many' });
    const one = { client: 'one' };
    for (let index = 0; index < 4; index += 1) servers.ask('one', 10, one);
    expect(servers.finish().slice(0, 8)).toEqual([
      'many',
      'one',
      'many',
      'one',
      'many',
      'one',
      'many',
      'one',
    ]);
  });

  test('behavior: so are the connections of an address among each other', () => {
    const servers = new Servers();
    const [many, one] = [{ client: 'same' }, { client: 'same' }];
    for (let index = 0; index < 8; index += 1) servers.ask('many', 10, many);
    for (let index = 0; index < 2; index += 1) servers.ask('one', 10, one);
    expect(servers.finish().slice(0, 4)).toEqual(['many', 'one', 'many', 'one']);
  });

  test('behavior: the callers of one connection are worth one caller', () => {
    const servers = new Servers();
    const [many, one] = [{}, {}];
    for (let index = 0; index < 8; index += 1) servers.ask('many', 10, { client: 'same', connection: many });
    for (let index = 0; index < 2; index += 1) servers.ask('one', 10, { client: 'same', connection: one });
    expect(servers.finish().slice(0, 4)).toEqual(['many', 'one', 'many', 'one']);
  });

  test('behavior: a client gets no credit for the time before its first request', () => {
    const servers = new Servers();
    const [busy, late] = [{ client: 'busy' }, { client: 'late' }];
    for (let index = 0; index < 50; index += 1) servers.ask('busy', 10, busy, 'm');
    for (let index = 0; index < 40; index += 1) servers.step();
    for (let index = 0; index < 8; index += 1) servers.ask('late', 10, late, 'm');
    // One is being carried out.
    expect(servers.finish().slice(41, 47)).toEqual(['late', 'busy', 'late', 'busy', 'late', 'busy']);
  });
});

describe('32 attackers on ever new connections', () => {
  test.each([
    ['another address', 'faithful'],
    ['the same address', 'attackers'],
  ])('behavior: a client with short calls from %s waits only for running calls', (_, client) => {
    const servers = new Servers(2);
    const faithful = { client };
    servers.ask('faithful', 3, faithful, 'short');
    servers.finish();
    const attackers = attack(servers);
    for (let round = 0; round < 50; round += 1) {
      servers.ask('faithful', 3, faithful, 'short');
      expect([round, attackers.until(LONG + 10)]).toEqual([round, 'faithful']);
    }
  });

  test('behavior: a new kind of call on a new connection of their address is not attributed to the attackers', () => {
    const servers = new Servers(2);
    const attackers = attack(servers);
    expect(attackers.until(40_000)).toBeUndefined();
    for (let round = 0; round < 50; round += 1) {
      servers.ask('faithful', 3, { client: 'attackers' }, `short ${round}`);
      expect([round, attackers.until(LONG + 10)]).toEqual([round, 'faithful']);
    }
  });

  test('behavior: calls of ever new kinds do not delay a client that was there before', () => {
    const servers = new Servers(2);
    const faithful = { client: 'attackers' };
    servers.ask('faithful', 3, faithful, 'short');
    servers.finish();
    const attackers = attack(servers, (count) => `long ${count}`);
    expect(attackers.until(40_000)).toBeUndefined();
    for (let round = 0; round < 50; round += 1) {
      servers.ask('faithful', 3, faithful, `short ${round}`);
      expect([round, attackers.until(LONG + 10)]).toEqual([round, 'faithful']);
    }
  });

  test('behavior: an equally expensive client gets its share, and no newcomer overtakes it', () => {
    const servers = new Servers(2);
    const attackers = attack(servers);
    expect(attackers.until(20_000)).toBeUndefined();
    const faithful = { client: 'attackers' };
    for (let round = 0; round < 10; round += 1) {
      servers.ask('faithful', LONG, faithful, 'long');
      expect([round, attackers.until(18_000)]).toEqual([round, 'faithful']);
    }
  });

  test('behavior: an equally expensive client of another address gets half of the time', () => {
    const servers = new Servers(2);
    const attackers = attack(servers);
    const faithful = { client: 'faithful' };
    for (let round = 0; round < 10; round += 1) {
      servers.ask('faithful', LONG, faithful, 'long');
      expect([round, attackers.until(2 * LONG)]).toEqual([round, 'faithful']);
    }
  });
});

test('behavior: a connection whose task took long by chance does not wait long for its next ones', () => {
  const servers = new Servers();
  const others = Array.from({ length: 64 }, () => ({ client: 'same' }));
  for (const other of others) servers.ask('receipt', 1, other, 'receipt');
  const unlucky = { client: 'same' };
  for (const milliseconds of [1, 20, 1]) {
    servers.ask('call', milliseconds, unlucky, 'call');
    const before = servers.now;
    for (let count = 0; servers.step() === 'receipt'; count += 1) {
      const other = others[count % others.length];
      if (other !== undefined) servers.ask('receipt', 1, other, 'receipt');
    }
    // A turn of each connection, and after the long call four times as long as that.
    expect(servers.now - before).toBeLessThanOrEqual(64 + 1 + 4 * 20);
  }
});

test('behavior: ever new clients with short calls delay a long one by no more than its part', () => {
  const servers = new Servers();
  servers.ask('long', LONG, { client: 'long' }, 'long');
  servers.finish();
  servers.ask('long', LONG, { client: 'long' }, 'long');
  const come = (): void => servers.ask('short', 10, { client: `short ${servers.now}` }, 'short');
  come();
  let rounds = 0;
  while (servers.begun.at(-1) === 'short' || rounds === 0) {
    come();
    servers.step();
    rounds += 1;
  }
  // Three have something open at a time: the long one, the one that runs, and the next.
  expect(rounds).toBeLessThan((3 * LONG) / 10);
});

test('behavior: short calls of many connections of the same address together delay a longer one by no more', () => {
  const servers = new Servers();
  const callers = Array.from({ length: 64 }, () => ({ client: 'same' }));
  const one = { client: 'same' };
  servers.ask('longer', 5, one, 'longer');
  for (const caller of callers) servers.ask('short', 1, caller, 'short');
  servers.finish();
  servers.begun.length = 0;
  for (const caller of callers) servers.ask('short', 1, caller, 'short');
  servers.ask('longer', 5, one, 'longer');
  for (let done = servers.step(); done === 'short'; done = servers.step()) {
    // Each calls again.
    const caller = callers[servers.begun.length % callers.length];
    if (caller !== undefined) servers.ask('short', 1, caller, 'short');
  }
  // Those that came before it, four times what it takes, and the next one.
  expect(servers.begun.filter((name) => name === 'short').length).toBeLessThanOrEqual(64 + 4 * 5 + 1);
});

test('behavior: calls of a disconnected client are dropped and release their queue slots', () => {
  const servers = new Servers();
  let isGone = false;
  const gone = { client: 'a', isGone: () => isGone };
  for (let index = 0; index < QUEUED_CALLS_MAX / 2; index += 1) servers.ask('gone', 1, gone);
  expect(() => servers.ask('one more', 1, gone)).toThrow('2048 calls of this client wait');
  isGone = true;
  servers.ask('there', 1, { client: 'a' });
  expect([servers.queue.size, servers.givenUp.length]).toEqual([1, QUEUED_CALLS_MAX / 2]);
  expect(servers.finish()).toEqual(['there']);
});

test('error: no number of clients fills the queue', () => {
  const servers = new Servers();
  const fill = (client: string): number => {
    for (let count = 0; ; count += 1) {
      try {
        servers.ask(client, 1, { client });
      } catch {
        return count;
      }
    }
  };
  expect(['a', 'b', 'c', 'd'].map(fill)).toEqual([2_048, 1_024, 512, 256]);
  expect(() => servers.ask('a', 1, { client: 'a' })).toThrow(
    '2048 calls of this client wait, its share of the limit of 4096: call again when some are answered',
  );
});

test('behavior: above the client limit, the least recently active client is evicted', () => {
  const costs = new CallCosts();
  const servers = new Servers(1, costs);
  const [kept, forgotten] = [{ client: 'kept' }, { client: 'forgotten' }];
  for (const caller of [forgotten, kept]) servers.ask(caller.client, LONG, caller);
  servers.finish();
  for (let index = 0; index < FAIR_CLIENTS_MAX - 1; index += 1) {
    servers.ask('x', 0, { client: `${index}` });
    servers.finish();
  }
  servers.begun.length = 0;
  // The client is known for long unknown calls.
  for (const { client } of [kept, forgotten]) servers.ask(client, 1, { client });
  expect(servers.finish()).toEqual(['forgotten', 'kept']);
});
