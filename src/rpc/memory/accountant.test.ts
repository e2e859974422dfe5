import { describe, expect, test } from 'vitest';
import { type Account, Accountant, type AccountantOptions } from './accountant.ts';

const MEGABYTE = 1024 * 1024;

/** An accountant of 64 MiB: batches share 32 MiB, one client gets 48 MiB, and whoever holds 4 MiB holds little. */
function accountantOf(options: Partial<AccountantOptions> = {}): Accountant {
  return new Accountant({ bytesMax: 64 * MEGABYTE, ...options });
}

/** An account with a batch at work that holds so many megabytes. */
function batchOf(accountant: Accountant, client: string, megabytes: number): Account {
  const account = accountant.open(client);
  account.beginBatch();
  account.hold('answers', megabytes * MEGABYTE);
  return account;
}

describe('what is held', () => {
  test('default', () => {
    const accountant = accountantOf();
    const [one, other] = [accountant.open('a'), accountant.open('b')];
    one.hold('requests', 10);
    one.hold('answers', 20);
    other.hold('unread', 5);
    one.release('requests', 4);
    expect(accountant.held).toEqual({ requests: 6, values: 0, answers: 20, unread: 5 });
    one.release('answers');
    expect([one.bytes, other.bytes]).toEqual([6, 5]);
    expect(accountant.held).toEqual({ requests: 6, values: 0, answers: 0, unread: 5 });
  });

  test('behavior: a closed account holds nothing, whatever comes of what was begun', () => {
    const accountant = accountantOf();
    const account = batchOf(accountant, 'a', 1);
    account.hold('values', 7);
    account.close();
    account.hold('answers', 3);
    account.release('values', 7);
    account.close();
    expect(accountant.held).toEqual({ requests: 0, values: 0, answers: 0, unread: 0 });
    expect(account.bytes).toBe(0);
  });
});

describe('requests that come', () => {
  test('default', () => {
    const accountant = accountantOf();
    const account = accountant.open('a');
    expect(account.holdRequest(32 * MEGABYTE)).toBe(true);
    expect(account.holdRequest(1)).toBe(false);
    expect(account.bytes).toBe(32 * MEGABYTE);
  });

  test('behavior: there is room for who holds little, and for small ones', () => {
    const accountant = accountantOf();
    accountant.open('a').holdRequest(32 * MEGABYTE);
    expect(accountant.open('a').holdRequest(16 * 1024)).toBe(true);
    expect(accountant.open('a').holdRequest(16 * 1024 + 1)).toBe(false);
    const other = accountant.open('b');
    expect(other.holdRequest(4 * MEGABYTE)).toBe(true);
    expect(other.holdRequest(1)).toBe(false);
  });

  test('behavior: slower clients give way', () => {
    const slow: Account[] = [];
    const accountant = accountantOf({
      reclaim: () => {
        const account = slow.pop();
        account?.close();
        return account !== undefined;
      },
    });
    slow.push(accountant.open('a'), accountant.open('a'));
    for (const account of slow) account.holdRequest(16 * MEGABYTE);
    expect(accountant.open('a').holdRequest(5 * MEGABYTE)).toBe(true);
    expect(slow).toHaveLength(1);
  });
});

describe('requests that begin', () => {
  test('default', () => {
    const accountant = accountantOf();
    const account = accountant.open('a');
    account.hold('unread', 48 * MEGABYTE);
    expect(accountant.open('a').mayBegin()).toBe(true);
    account.hold('unread', 1);
    expect(accountant.open('a').mayBegin()).toBe(false);
  });

  test('behavior: others begin until all is full', () => {
    const accountant = accountantOf();
    const account = accountant.open('a');
    account.hold('unread', 64 * MEGABYTE);
    expect(accountant.open('b').mayBegin()).toBe(true);
    account.hold('unread', 1);
    expect(accountant.open('b').mayBegin()).toBe(false);
    expect(account.refusal.message).toBe(
      'what the node would hold for its clients exceeds the limit of 67108864 bytes (--max-held): try again later',
    );
  });

  test('behavior: within a batch at work they do', () => {
    expect(batchOf(accountantOf(), 'a', 60).mayBegin()).toBe(true);
  });
});

describe('batches', () => {
  test('default', () => {
    const accountant = accountantOf();
    const first = batchOf(accountant, 'a', 16);
    const second = batchOf(accountant, 'a', 16);
    expect([first.mayGoOn(), second.mayGoOn()]).toEqual([true, true]);
    second.hold('answers', 1);
    expect([first.mayGoOn(), second.mayGoOn()]).toEqual([true, false]);
    first.hold('answers', 32 * MEGABYTE);
    expect([first.mayGoOn(), second.mayGoOn()]).toEqual([false, false]);
  });

  test('behavior: whoever holds little goes on', () => {
    const accountant = accountantOf();
    batchOf(accountant, 'a', 40);
    const other = batchOf(accountant, 'b', 4);
    expect(other.mayGoOn()).toBe(true);
    other.hold('answers', 1);
    expect(other.mayGoOn()).toBe(false);
  });

  test('behavior: the next goes on when the first is answered', async () => {
    const accountant = accountantOf();
    const [first, second, third] = [
      batchOf(accountant, 'a', 30),
      batchOf(accountant, 'a', 10),
      batchOf(accountant, 'a', 10),
    ];
    const order: string[] = [];
    const waiting = [third, second].map(async (account) => {
      const hasRoom = await account.waitForRoom(performance.now());
      order.push(`${account === second ? 'second' : 'third'}: ${hasRoom}`);
      account.endBatch();
    });
    first.endBatch();
    await Promise.all(waiting);
    expect(order).toEqual(['second: true', 'third: true']);
  });

  test('behavior: all that fit go on when there is room', async () => {
    const accountant = accountantOf();
    const reader = accountant.open('a');
    reader.hold('unread', 40 * MEGABYTE);
    const batches = [1, 2, 3].map(() => batchOf(accountant, 'a', 2));
    const waiting = batches.map((account) => account.waitForRoom(performance.now()));
    reader.close();
    expect(await Promise.all(waiting)).toEqual([true, true, true]);
  });

  test('behavior: a client that is gone waits for nothing', async () => {
    const accountant = accountantOf();
    batchOf(accountant, 'a', 40);
    const second = batchOf(accountant, 'a', 1);
    const waiting = second.waitForRoom(performance.now());
    second.close();
    expect(await waiting).toBe(false);
    expect(await second.waitForRoom(performance.now())).toBe(false);
  });

  test('error: no room, and nobody who could make some', async () => {
    const first = batchOf(accountantOf(), 'a', 65);
    expect(first.mayGoOn()).toBe(false);
    expect(await first.waitForRoom(performance.now())).toBe(false);
  });

  test('error: no room for too long', async () => {
    const accountant = accountantOf({ waitMsMax: 0 });
    batchOf(accountant, 'a', 40);
    expect(await batchOf(accountant, 'a', 1).waitForRoom(performance.now())).toBe(false);
  });
});
