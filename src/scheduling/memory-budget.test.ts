import { describe, expect, test } from 'vitest';
import { type ConnectionBudget, MemoryBudget, type MemoryBudgetOptions } from './memory-budget.ts';

const MEGABYTE = 1024 * 1024;

/** A budget of 64 MiB: batches share 32 MiB, one client gets 48 MiB, and 4 MiB are little. */
function budgetOf(options: Partial<MemoryBudgetOptions> = {}): MemoryBudget {
  return new MemoryBudget({ bytesMax: 64 * MEGABYTE, ...options });
}

/** A connection with a batch at work that holds so many megabytes. */
function batchOf(budget: MemoryBudget, client: string, megabytes: number): ConnectionBudget {
  const connection = budget.open(client);
  connection.beginBatch();
  connection.hold('answers', megabytes * MEGABYTE);
  return connection;
}

describe('held bytes', () => {
  test('default', () => {
    const budget = budgetOf();
    const [one, other] = [budget.open('a'), budget.open('b')];
    one.hold('requests', 10);
    one.hold('answers', 20);
    other.hold('unread', 5);
    one.release('requests', 4);
    expect(budget.held).toEqual({ requests: 6, values: 0, answers: 20, unread: 5 });
    one.release('answers');
    expect([one.bytes, other.bytes]).toEqual([6, 5]);
    expect(budget.held).toEqual({ requests: 6, values: 0, answers: 0, unread: 5 });
  });

  test('behavior: a closed connection holds no bytes, even if pending work completes later', () => {
    const budget = budgetOf();
    const connection = batchOf(budget, 'a', 1);
    connection.hold('values', 7);
    connection.close();
    connection.hold('answers', 3);
    connection.release('values', 7);
    connection.close();
    expect(budget.held).toEqual({ requests: 0, values: 0, answers: 0, unread: 0 });
    expect(connection.bytes).toBe(0);
  });
});

describe('incoming requests', () => {
  test('default', () => {
    const budget = budgetOf();
    const connection = budget.open('a');
    expect(connection.holdRequest(32 * MEGABYTE)).toBe(true);
    expect(connection.holdRequest(1)).toBe(false);
    expect(connection.bytes).toBe(32 * MEGABYTE);
  });

  test('behavior: clients that hold little and small requests are still admitted', () => {
    const budget = budgetOf();
    budget.open('a').holdRequest(32 * MEGABYTE);
    expect(budget.open('a').holdRequest(16 * 1024)).toBe(true);
    expect(budget.open('a').holdRequest(16 * 1024 + 1)).toBe(false);
    const other = budget.open('b');
    expect(other.holdRequest(4 * MEGABYTE)).toBe(true);
    expect(other.holdRequest(1)).toBe(false);
  });

  test('behavior: connections of slow clients are reclaimed', () => {
    const slow: ConnectionBudget[] = [];
    const budget = budgetOf({
      reclaim: () => {
        const connection = slow.pop();
        connection?.close();
        return connection !== undefined;
      },
    });
    slow.push(budget.open('a'), budget.open('a'));
    for (const connection of slow) connection.holdRequest(16 * MEGABYTE);
    expect(budget.open('a').holdRequest(5 * MEGABYTE)).toBe(true);
    expect(slow).toHaveLength(1);
  });
});

describe('requests that begin', () => {
  test('default', () => {
    const budget = budgetOf();
    const connection = budget.open('a');
    connection.hold('unread', 48 * MEGABYTE);
    expect(budget.open('a').mayBegin()).toBe(true);
    connection.hold('unread', 1);
    expect(budget.open('a').mayBegin()).toBe(false);
  });

  test('behavior: others begin until all is full', () => {
    const budget = budgetOf();
    const connection = budget.open('a');
    connection.hold('unread', 64 * MEGABYTE);
    expect(budget.open('b').mayBegin()).toBe(true);
    connection.hold('unread', 1);
    expect(budget.open('b').mayBegin()).toBe(false);
    expect(connection.refusal.message).toBe(
      'what the node would hold for its clients exceeds the limit of 67108864 bytes (--max-held): try again later',
    );
  });

  test('behavior: within a batch at work they do', () => {
    expect(batchOf(budgetOf(), 'a', 60).mayBegin()).toBe(true);
  });
});

describe('batches', () => {
  test('default', () => {
    const budget = budgetOf();
    const first = batchOf(budget, 'a', 16);
    const second = batchOf(budget, 'a', 16);
    expect([first.mayContinue(), second.mayContinue()]).toEqual([true, true]);
    second.hold('answers', 1);
    expect([first.mayContinue(), second.mayContinue()]).toEqual([true, false]);
    first.hold('answers', 32 * MEGABYTE);
    expect([first.mayContinue(), second.mayContinue()]).toEqual([false, false]);
  });

  test('behavior: a client that holds little continues', () => {
    const budget = budgetOf();
    batchOf(budget, 'a', 40);
    const other = batchOf(budget, 'b', 4);
    expect(other.mayContinue()).toBe(true);
    other.hold('answers', 1);
    expect(other.mayContinue()).toBe(false);
  });

  test('behavior: the next batch continues when the first one ends', async () => {
    const budget = budgetOf();
    const [first, second, third] = [
      batchOf(budget, 'a', 30),
      batchOf(budget, 'a', 10),
      batchOf(budget, 'a', 10),
    ];
    const order: string[] = [];
    const waiting = [third, second].map(async (connection) => {
      const hasRoom = await connection.waitForMemory(performance.now());
      order.push(`${connection === second ? 'second' : 'third'}: ${hasRoom}`);
      connection.endBatch();
    });
    first.endBatch();
    await Promise.all(waiting);
    expect(order).toEqual(['second: true', 'third: true']);
  });

  test('behavior: all batches that fit continue when memory is released', async () => {
    const budget = budgetOf();
    const reader = budget.open('a');
    reader.hold('unread', 40 * MEGABYTE);
    const batches = [1, 2, 3].map(() => batchOf(budget, 'a', 2));
    const waiting = batches.map((connection) => connection.waitForMemory(performance.now()));
    reader.close();
    expect(await Promise.all(waiting)).toEqual([true, true, true]);
  });

  test('behavior: a disconnected client stops waiting', async () => {
    const budget = budgetOf();
    batchOf(budget, 'a', 40);
    const second = batchOf(budget, 'a', 1);
    const waiting = second.waitForMemory(performance.now());
    second.close();
    expect(await waiting).toBe(false);
    expect(await second.waitForMemory(performance.now())).toBe(false);
  });

  test('error: no memory is free, and no other batch could release any', async () => {
    const first = batchOf(budgetOf(), 'a', 65);
    expect(first.mayContinue()).toBe(false);
    expect(await first.waitForMemory(performance.now())).toBe(false);
  });

  test('error: the wait for memory times out', async () => {
    const budget = budgetOf({ waitMsMax: 0 });
    batchOf(budget, 'a', 40);
    expect(await batchOf(budget, 'a', 1).waitForMemory(performance.now())).toBe(false);
  });
});
