import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { Dispatcher } from '../rpc/index.ts';
import {
  dispatcherOf,
  exchange,
  held,
  heldRequestBytes,
  open,
  rawRequest,
  send,
  startTestServer,
  testMetrics,
} from './server.testing.ts';

const MEGABYTE = 1024 * 1024;
const EVERYBODY_IS_SLOW = { slowClientMs: 0, slowClientBytesPerSecond: Number.POSITIVE_INFINITY };

/** A request with a body of so many bytes. */
function post(port: number, bytes = 1, headers: readonly string[] = []): string {
  return rawRequest(port, [`Content-Length: ${bytes}`, ...headers], 'x'.repeat(bytes));
}

/** The first line of a response. */
function statusOf(answer: string): string | undefined {
  return answer.split('\r\n')[0];
}

const OK = 'HTTP/1.1 200 OK';

describe('as many connections as there may be', () => {
  test('default', async () => {
    const { port } = await startTestServer({ limits: { connectionsMax: 2 } });
    const [first, second] = [await open(port), await open(port)];
    const firstClosed = once(first, 'close');
    const third = await open(port);
    await firstClosed;
    expect(statusOf(await send(second, post(port)))).toBe(OK);
    expect(statusOf(await send(third, post(port)))).toBe(OK);
  });

  test('behavior: the connection that was used most recently is evicted last', async () => {
    const { port } = await startTestServer({ limits: { connectionsMax: 2 } });
    const [first, second] = [await open(port), await open(port)];
    const secondClosed = once(second, 'close');
    expect(statusOf(await send(first, post(port)))).toBe(OK);
    const third = await open(port);
    await secondClosed;
    expect(statusOf(await send(first, post(port)))).toBe(OK);
    expect(statusOf(await send(third, post(port)))).toBe(OK);
  });

  test('behavior: a connection that is still sending a request is evicted', async () => {
    const { port } = await startTestServer({ limits: { connectionsMax: 1 } });
    const slow = await open(port);
    // The response to the first request proves that the beginning of the second was received.
    const twice = `${post(port)}${rawRequest(port, ['Content-Length: 100'], 'x')}`;
    expect(statusOf(await send(slow, twice))).toBe(OK);
    const closed = once(slow, 'close');
    const next = await open(port);
    await closed;
    expect(statusOf(await send(next, post(port)))).toBe(OK);
  });

  test('behavior: a connection that does not read its response is evicted, but idle ones first', async () => {
    const long = `"${'x'.repeat(32 * MEGABYTE)}"`;
    const { dispatcher: slow, asked, release } = held();
    const dispatcher = dispatcherOf((body) => (body.length > 1 ? long : slow.handle(body)));
    const { port } = await startTestServer({ dispatcher, limits: { connectionsMax: 2 } });
    const reader = await open(port);
    reader.pause();
    reader.write(post(port, 2));
    await once(reader, 'readable');
    const idle = await open(port);
    const idleClosed = once(idle, 'close');
    const working = exchange(port, post(port, 1, ['Connection: close']));
    await Promise.all([idleClosed, asked]);
    const next = await open(port);
    const readerClosed = once(reader, 'close');
    reader.resume();
    await readerClosed;
    expect(statusOf(await send(next, post(port, 2)))).toBe(OK);
    release();
    expect(await working).toMatch(/^HTTP\/1.1 200 .*"done"$/s);
  });

  test('error: all of them being worked for', async () => {
    const { dispatcher, asked, release } = held();
    const { port } = await startTestServer({ dispatcher, limits: { connectionsMax: 1 } });
    const working = exchange(port, post(port, 1, ['Connection: close']));
    await asked;
    expect(await exchange(port, '')).toBe('');
    release();
    expect(await working).toMatch(/^HTTP\/1.1 200 .*"done"$/s);
  });

  test('behavior: ten times as many idle ones leave others served', async () => {
    const { url, port } = await startTestServer({ limits: { connectionsMax: 20 } });
    for (let count = 0; count < 200; count += 1) await open(port);
    for (let count = 0; count < 10; count += 1) {
      expect((await fetch(url, { method: 'POST', body: '1' })).status).toBe(200);
      await open(port);
    }
  });
});

describe('requests sent ahead', () => {
  /** A dispatcher that responds later, and counts concurrent requests. */
  function counting(): { dispatcher: Dispatcher; most: () => number } {
    let working = 0;
    let most = 0;
    const dispatcher = dispatcherOf(async (body) => {
      working += 1;
      most = Math.max(most, working);
      await new Promise(setImmediate);
      working -= 1;
      return `"${body.length}"`;
    });
    return { dispatcher, most: () => most };
  }

  test('default', async () => {
    const { dispatcher, most } = counting();
    const { port } = await startTestServer({ dispatcher });
    const requests = [1, 2, 3].map((bytes) => post(port, bytes)).join('');
    const answer = await exchange(port, `${requests}${post(port, 4, ['Connection: close'])}`);
    expect(answer.match(/"\d"/g)).toEqual(['"1"', '"2"', '"3"', '"4"']);
    expect(most()).toBe(1);
  });

  test.each([
    ['the usual form', []],
    ['another form', ['X-Other: 1']],
  ])('behavior: all pipelined requests are answered, in %s', async (_, headers) => {
    const { dispatcher, most } = counting();
    const { port } = await startTestServer({ dispatcher });
    const [count, bytes] = [400, 1_000];
    const requests = post(port, bytes, headers).repeat(count);
    const answer = await exchange(port, `${requests}${post(port, 4, ['Connection: close'])}`);
    expect(answer.match(/"\d+"/g)).toEqual([...new Array(count).fill(`"${bytes}"`), '"4"']);
    expect(most()).toBe(1);
  });
});

describe('limit of held bytes', () => {
  test('default', async () => {
    const { port } = await startTestServer({ limits: { heldBytesMax: 2 * MEGABYTE } });
    for (let count = 0; count < 5; count += 1) {
      const answer = await exchange(port, post(port, MEGABYTE, ['Connection: close']));
      expect(statusOf(answer)).toBe(OK);
    }
  });

  test('error: a body that exceeds the limit is rejected', async () => {
    const { url } = await startTestServer({ limits: { heldBytesMax: MEGABYTE } });
    const response = await fetch(url, { method: 'POST', body: 'x'.repeat(MEGABYTE) });
    const message =
      'what the node would hold for its clients exceeds the limit of 1048576 bytes (--max-held): try again later';
    expect([response.status, await response.json()]).toEqual([
      503,
      { jsonrpc: '2.0', id: null, error: { code: -32005, message } },
    ]);
    expect((await fetch(url, { method: 'POST', body: '1' })).status).toBe(200);
  });

  test('behavior: slow senders are evicted, the largest of an address first', async () => {
    const metrics = testMetrics();
    const limits = { ...EVERYBODY_IS_SLOW, heldBytesMax: 8 * MEGABYTE };
    // Requests that are coming may take half of the limit.
    const { port } = await startTestServer({ metrics, limits });
    const hold = async (bytes: number, heldInAll: number) => {
      const socket = await open(port);
      socket.write(rawRequest(port, [`Content-Length: ${bytes + 1}`], 'x'.repeat(bytes)));
      await expect.poll(() => heldRequestBytes(metrics)).toBeGreaterThanOrEqual(heldInAll);
      return socket;
    };
    const larger = await hold(2 * MEGABYTE, 2 * MEGABYTE);
    const smaller = await hold(MEGABYTE, 3 * MEGABYTE);
    const [refused, closed] = [once(larger, 'data'), once(larger, 'close')];
    const answer = await exchange(port, post(port, 1.5 * MEGABYTE, ['Connection: close']));
    expect(statusOf(answer)).toBe(OK);
    expect(String(await refused)).toMatch(/^HTTP\/1\.1 503 .*exceeds the limit of 8388608 bytes/s);
    await closed;
    expect(statusOf(await send(smaller, 'x'))).toBe(OK);
  });

  test('behavior: so do slow readers', async () => {
    const long = `"${'x'.repeat(32 * MEGABYTE)}"`;
    const dispatcher = dispatcherOf(() => long);
    const limits = { ...EVERYBODY_IS_SLOW, heldBytesMax: 40 * MEGABYTE };
    const { port } = await startTestServer({ dispatcher, limits });
    const reader = await open(port);
    reader.pause();
    reader.write(post(port));
    await once(reader, 'readable');
    const answer = await exchange(port, post(port, 1, ['Connection: close']));
    expect(answer.endsWith(long)).toBe(true);
    const closed = once(reader, 'close');
    reader.resume();
    await closed;
  });
});
