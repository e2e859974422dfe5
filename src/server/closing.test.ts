import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { exchange, held, rawRequest, startTestServer } from './server.testing.ts';

describe('close', () => {
  test('default', async () => {
    const server = await startTestServer();
    await server.close();
    await expect(fetch(server.url, { method: 'POST', body: '1' })).rejects.toThrow('fetch failed');
  });

  test('behavior: twice is once', async () => {
    const server = await startTestServer();
    expect(server.close()).toBe(server.close());
    await server.close();
  });

  test('behavior: a request in flight is answered, and its connection closes', async () => {
    const { dispatcher, asked, release } = held();
    const server = await startTestServer({ dispatcher });
    const answer = exchange(server.port, rawRequest(server.port, ['Content-Length: 1'], '1'));
    await asked;
    const closed = server.close();
    release();
    expect(await answer).toMatch(/^HTTP\/1.1 200 .*"done"$/s);
    await closed;
  });

  test('behavior: idle connections close immediately, whether used or not', async () => {
    const server = await startTestServer({ limits: { closeGraceMs: 3_600_000 } });
    const unused = connect(server.port, '127.0.0.1');
    await once(unused, 'connect');
    const used = connect(server.port, '127.0.0.1');
    used.write(rawRequest(server.port, ['Content-Length: 1'], '1'));
    await once(used, 'data');
    unused.resume();
    used.resume();
    const bothClosed = Promise.all([once(unused, 'close'), once(used, 'close')]);
    await server.close();
    await bothClosed;
  });

  test('behavior: an incomplete request does not delay the shutdown beyond the grace period', async () => {
    const server = await startTestServer({ limits: { closeGraceMs: 10 } });
    const socket = connect(server.port, '127.0.0.1');
    socket.write(rawRequest(server.port, ['Content-Length: 100', 'Expect: 100-continue'], ''));
    await once(socket, 'data');
    const closed = once(socket, 'close');
    await server.close();
    await closed;
  });
});

describe('startServer', () => {
  test('error: a port in use', async () => {
    const { port } = await startTestServer();
    await expect(startTestServer({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
