import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Dispatcher } from '../rpc/index.ts';
import { exchange, rawRequest, startTestServer } from './server.testing.ts';

/** A dispatcher that answers when it is told to, and tells when it was asked. */
function held(): { dispatcher: Dispatcher; asked: Promise<void>; release: () => void } {
  let release = (): void => undefined;
  let ask = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const dispatcher: Dispatcher = {
    handle: () => {
      ask();
      return released.then(() => '"done"');
    },
  };
  return { dispatcher, asked, release };
}

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

  test('behavior: idle connections close at once, used or not', async () => {
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

  test('behavior: a request that never arrives whole does not hold it up for ever', async () => {
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

  test('args: time-outs', async () => {
    const { port } = await startTestServer({ limits: { headersTimeoutMs: 20, requestTimeoutMs: 40 } });
    expect(await exchange(port, 'POST / HTTP/1.1\r\n')).toMatch(/^HTTP\/1.1 408 /);
  });

  test('args: connections', async () => {
    const { port } = await startTestServer({ limits: { connectionsMax: 1 } });
    const first = connect(port, '127.0.0.1');
    await once(first, 'connect');
    expect(await exchange(port, '')).toBe('');
    first.destroy();
  });
});
