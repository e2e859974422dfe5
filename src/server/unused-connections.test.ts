import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UNUSED_CONNECTIONS_BURST_SECONDS, UnusedConnectionLimiter } from './rate-limiter.ts';
import { dispatcherOf, open, rawRequest, send, startTestServer, testMetrics } from './server.testing.ts';

const SECOND_MS = 1_000;
const LIMITS = { unusedConnectionsPerSecond: 1 };
const BURST = UNUSED_CONNECTIONS_BURST_SECONDS;
const OK = /^HTTP\/1.1 200 /;

// The clock of the buckets moves only where a test moves it.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Sends bytes over a new connection, and gives all that comes back until it closes. */
async function sendAlone(port: number, bytes: string, localAddress = '127.0.0.1'): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A refused connection may be reset.
  socket.on('error', () => undefined);
  socket.end(bytes);
  await new Promise((resolve) => {
    socket.once('close', resolve);
  });
  return Buffer.concat(chunks).toString();
}

function request(port: number): string {
  return rawRequest(port, ['Content-Length: 1'], '1');
}

/** Leaves connections to a server without a whole request on them. */
async function leaveUnused(port: number, count: number, bytes = ''): Promise<void> {
  for (let index = 0; index < count; index += 1) await sendAlone(port, bytes);
}

/** Waits until the server has seen enough connections end to refuse the next one. */
async function expectRefused(port: number): Promise<void> {
  await expect.poll(() => sendAlone(port, request(port)), { timeout: 20_000 }).toBe('');
}

test('default: a client beyond the bound is refused until its bucket has a token', async () => {
  const metrics = testMetrics();
  const told: unknown[] = [];
  const onRequestRefused = (notice: unknown): number => told.push(notice);
  const { port } = await startTestServer({ metrics, limits: LIMITS, onRequestRefused });
  const early = await open(port);
  await leaveUnused(port, BURST - 1);
  expect(await sendAlone(port, request(port))).toMatch(OK);
  await leaveUnused(port, 1);
  await expectRefused(port);
  expect(await sendAlone(port, request(port))).toBe('');
  expect(await metrics.text()).toMatch(/^ledgerd_refused_total\{reason="unused"\} [1-9]/m);
  const message =
    'new connections of 127.0.0.1 are closed: more than 1 a second ended without a whole request ' +
    '(--unused-connections)';
  expect(told).toEqual([{ message, others: 0 }]);
  expect(await sendAlone(port, request(port), '127.0.0.2')).toMatch(OK);
  expect(await send(early, request(port))).toMatch(OK);
  vi.advanceTimersByTime(SECOND_MS - 1);
  expect(await sendAlone(port, request(port))).toBe('');
  vi.advanceTimersByTime(1);
  for (let count = 0; count < 2; count += 1) expect(await sendAlone(port, request(port))).toMatch(OK);
  await leaveUnused(port, 1);
  await expectRefused(port);
});

test('behavior: a client that sends requests is never refused', async () => {
  const { port } = await startTestServer({ limits: LIMITS });
  const host = `Host: 127.0.0.1:${port}`;
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
  const key = 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==';
  const forms: [string, RegExp][] = [
    [request(port), OK],
    [rawRequest(port, ['X-Other: 1', 'Content-Length: 1'], '1'), OK],
    [`GET /health HTTP/1.1\r\n${host}\r\n\r\n`, /^HTTP\/1.1 [245]/],
    [rawRequest(port, ['Origin: https://evil.example', 'Content-Length: 1'], '1'), /^HTTP\/1.1 403 /],
    [['GET /nowhere HTTP/1.1', host, ...upgrade, key, '', ''].join('\r\n'), /^HTTP\/1.1 404 /],
    [['GET / HTTP/1.1', host, ...upgrade, key, '', ''].join('\r\n'), /^HTTP\/1.1 101 /],
  ];
  for (const [bytes, answer] of forms) {
    for (let count = 0; count < BURST + 5; count += 1) expect(await sendAlone(port, bytes)).toMatch(answer);
  }
});

test('behavior: neither is one that resets connections before their responses', async () => {
  const calls = new EventEmitter();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const dispatcher = dispatcherOf(async () => {
    calls.emit('call');
    await released;
    return '"done"';
  });
  const { port } = await startTestServer({ dispatcher, limits: LIMITS });
  for (const headers of [[], ['X-Other: 1']]) {
    for (let count = 0; count < BURST + 5; count += 1) {
      const socket = await open(port);
      const called = once(calls, 'call');
      socket.write(rawRequest(port, ['Content-Length: 1', ...headers], '1'));
      await called;
      socket.resetAndDestroy();
    }
  }
  release();
  expect(await sendAlone(port, request(port))).toMatch(OK);
});

test('behavior: part of a request is none', async () => {
  for (const part of [
    'POST / HT',
    'x\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n1',
  ]) {
    const { port } = await startTestServer({ limits: LIMITS });
    await leaveUnused(port, BURST, part);
    await expectRefused(port);
  }
});

test('behavior: a connection that is evicted unused counts as unused', async () => {
  const { port } = await startTestServer({ limits: { ...LIMITS, connectionsMax: 2 } });
  const sockets: Socket[] = [];
  for (let count = 0; count < BURST + 2; count += 1) sockets.push(await open(port));
  await expectRefused(port);
  expect(await sendAlone(port, request(port), '127.0.0.2')).toMatch(OK);
});

test('behavior: connections that were reset before they are accepted have a bucket without an address', () => {
  const told: string[] = [];
  const onRefused = (message: string): number => told.push(message);
  const unused = new UnusedConnectionLimiter({ perSecond: 1, now: () => 0 }, onRefused);
  for (let count = 0; count < BURST; count += 1) unused.take('');
  expect([unused.mayOpen(''), unused.mayOpen('10.1.2.3')]).toEqual([false, true]);
  expect(told).toEqual([expect.stringMatching(/^new connections of clients that reset them before/)]);
});

test('behavior: no bound', async () => {
  const { port } = await startTestServer({ limits: { unusedConnectionsPerSecond: 0 } });
  await leaveUnused(port, 2 * BURST);
  expect(await sendAlone(port, request(port))).toMatch(OK);
});
