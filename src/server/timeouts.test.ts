import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import {
  dispatcherOf,
  exchange,
  open,
  rawRequest,
  send,
  startTestServer,
  testMetrics,
} from './server.testing.ts';

const LATE =
  /^HTTP\/1.1 408 .*"id":null,"error":{"code":-32005,"message":"the request took too long to arrive"}}$/s;

describe('a client that is slow', () => {
  test('default', async () => {
    const { port } = await startTestServer({ limits: { headersTimeoutMs: 20, requestTimeoutMs: 3_600_000 } });
    expect(await exchange(port, 'POST / HTTP/1.1\r\n')).toMatch(LATE);
  });

  test('behavior: a connection that sends nothing times out', async () => {
    const { port } = await startTestServer({ limits: { headersTimeoutMs: 20 } });
    expect(await exchange(port, '')).toMatch(LATE);
  });

  test('behavior: sending headers byte by byte', async () => {
    const { port } = await startTestServer({ limits: { headersTimeoutMs: 200 } });
    const socket = await open(port);
    const bytes = 'POST / HTTP/1.1\r\nHost: localhost\r\n'[Symbol.iterator]();
    const timer = setInterval(() => socket.write(String(bytes.next().value ?? 'x')), 10);
    const [answer] = await once(socket, 'data');
    clearInterval(timer);
    expect(String(answer)).toMatch(LATE);
  });

  test('behavior: sending a body byte by byte', async () => {
    const { port } = await startTestServer({ limits: { headersTimeoutMs: 20, requestTimeoutMs: 200 } });
    const socket = await open(port);
    socket.write(rawRequest(port, ['Content-Length: 1000000'], '1'));
    const timer = setInterval(() => socket.write('1'), 10);
    const [answer] = await once(socket, 'data');
    clearInterval(timer);
    expect(String(answer)).toMatch(LATE);
  });

  test('behavior: sending the headers of the next request', async () => {
    const { port } = await startTestServer({ limits: { headersTimeoutMs: 200, requestTimeoutMs: 400 } });
    const socket = await open(port);
    expect(await send(socket, rawRequest(port, ['Content-Length: 1'], '1'))).toMatch(/^HTTP\/1.1 200 /);
    expect(await send(socket, 'POST / HTTP/1.1\r\n')).toMatch(LATE);
  });

  test('behavior: not taking the answer', async () => {
    const long = `"${'x'.repeat(64 * 1024 * 1024)}"`;
    const metrics = testMetrics();
    const { port } = await startTestServer({
      metrics,
      dispatcher: dispatcherOf(() => long),
      limits: { stalledTimeoutMs: 100 },
    });
    const reader = await open(port);
    reader.pause();
    reader.write(rawRequest(port, ['Content-Length: 1'], '1'));
    await once(reader, 'readable');
    // Reads nothing before the server has given it up.
    while (!(await metrics.text()).includes('ledgerd_connections 0\n')) await new Promise(setImmediate);
    let received = 0;
    reader.on('data', (chunk) => {
      received += chunk.length;
    });
    await once(reader, 'close');
    expect(received).toBeLessThan(long.length);
  });

  test('behavior: an idle keep-alive connection times out', async () => {
    const { port } = await startTestServer({ limits: { keepAliveTimeoutMs: 20 } });
    expect(await exchange(port, rawRequest(port, ['Content-Length: 1'], '1'))).toMatch(/^HTTP\/1.1 200 /);
  });

  test('args: a time for headers beyond that of the request', async () => {
    const { port } = await startTestServer({ limits: { headersTimeoutMs: 3_600_000, requestTimeoutMs: 20 } });
    expect(await exchange(port, 'POST / HTTP/1.1\r\n')).toMatch(LATE);
  });
});
