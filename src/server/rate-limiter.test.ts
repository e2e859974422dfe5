import { describe, expect, test } from 'vitest';
import { createDispatcher } from '../rpc/index.ts';
import { clientOf } from './host-names.ts';
import { RateLimiter } from './rate-limiter.ts';
import { startTestServer } from './server.testing.ts';

/** A limiter with a clock that the test moves. */
function limiterOf(callsPerSecond: number, clientsMax?: number) {
  const clock = { now: 0 };
  const counts = { refused: 0 };
  const options = { perSecond: callsPerSecond, now: () => clock.now };
  const limiter = new RateLimiter(clientsMax === undefined ? options : { ...options, clientsMax }, () => {
    counts.refused += 1;
  });
  /** Returns the number of allowed calls among so many. */
  const passing = (client: string, calls: number): number =>
    Array.from({ length: calls }, () => limiter.admit(client)).filter((error) => error === undefined).length;
  return { limiter, clock, counts, passing };
}

describe('a client', () => {
  test('default', () => {
    const { clock, counts, passing } = limiterOf(10);
    expect(passing('a', 15)).toBe(10);
    expect(counts.refused).toBe(5);
    clock.now = 250;
    expect(passing('a', 15)).toBe(2);
    clock.now = 300;
    expect(passing('a', 15)).toBe(1);
    clock.now = 3_600_000;
    expect(passing('a', 15)).toBe(10);
  });

  test('behavior: others have calls of their own', () => {
    const { passing } = limiterOf(10);
    expect([passing('a', 15), passing('b', 4), passing('b', 15)]).toEqual([10, 4, 6]);
  });

  test('error: the message names the limit', () => {
    const { limiter } = limiterOf(1);
    limiter.admit('a');
    expect(limiter.admit('a')).toMatchObject({
      rpcCode: -32005,
      message: 'this client exceeds the limit of 1 calls per second (--rate-limit)',
    });
  });

  test('behavior: a client that was idle for a second is evicted', () => {
    const { limiter, clock, passing } = limiterOf(10);
    passing('a', 1);
    clock.now = 500;
    passing('b', 1);
    clock.now = 999;
    passing('c', 1);
    expect(limiter.clients).toBe(3);
    clock.now = 1_500;
    passing('d', 1);
    expect(limiter.clients).toBe(2);
  });

  test('behavior: above the client limit, the client that was idle longest is evicted', () => {
    const { limiter, passing } = limiterOf(10, 2);
    expect([passing('a', 9), passing('b', 9), passing('a', 1), passing('c', 1)]).toEqual([9, 9, 1, 1]);
    expect(limiter.clients).toBe(2);
    expect([passing('a', 1), passing('b', 10)]).toEqual([0, 10]);
  });
});

describe('clientOf', () => {
  test('default', () => {
    expect(clientOf('10.1.2.3')).toBe('10.1.2.3');
    expect(clientOf('::ffff:10.1.2.3')).toBe('10.1.2.3');
  });

  test('behavior: an IPv6 address is one of the 2^64 of its client', () => {
    for (const address of ['2001:db8:0:7::1', '2001:0DB8:0000:0007:ffff:1:2:3', '2001:db8:0:7:8::']) {
      expect(clientOf(address)).toBe('2001:db8:0:7::/64');
    }
    expect(clientOf('2001:db8:0:8::1')).toBe('2001:db8:0:8::/64');
    expect(clientOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
    expect(clientOf('::1')).toBe('0:0:0:0::/64');
  });
});

describe('a server with a limit of calls', () => {
  const ledger = {
    parameters: { network: { networkId: '255' } },
    pool: { together: (action: () => unknown) => action() },
    history: { onReorg: () => undefined },
  } as unknown as Parameters<typeof createDispatcher>[0]['ledger'];
  const dispatcher = createDispatcher({ ledger, wallet: undefined, version: '1.0.0' });
  const call = '{"jsonrpc":"2.0","id":1,"method":"net_version"}';
  const message = 'this client exceeds the limit of 3 calls per second (--rate-limit)';

  test('default', async () => {
    const { url } = await startTestServer({ dispatcher, limits: { callsPerSecondMax: 3 } });
    const response = await fetch(url, { method: 'POST', body: `[${call},${call},${call},${call},7]` });
    expect(response.status).toBe(200);
    const answers: unknown[] = JSON.parse(await response.text());
    expect(answers.slice(0, 3)).toEqual(answers.slice(0, 3).fill({ jsonrpc: '2.0', id: 1, result: '255' }));
    expect(answers.slice(3)).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32005, message } },
      { jsonrpc: '2.0', id: null, error: { code: -32005, message } },
    ]);
  });

  test('behavior: disabled by default', async () => {
    const { url } = await startTestServer({ dispatcher });
    const body = `[${new Array(1_000).fill(call).join(',')}]`;
    const text = await (await fetch(url, { method: 'POST', body })).text();
    expect(text).not.toContain('error');
  });
});
