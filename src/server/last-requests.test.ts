import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Caller, Dispatcher } from '../rpc/index.ts';
import { dispatcherOf, exchange, held, rawRequest, startTestServer } from './server.testing.ts';

const FORMS = [
  ['in the usual form', []],
  ['with a field of its own', ['X-Unusual: yes']],
] as const;

/** A dispatcher that responds a little later with the request. */
const later: Dispatcher = dispatcherOf(async (body) => {
  await new Promise(setImmediate);
  return `"${body}"`;
});

/** Sends bytes as the last ones of a connection, and gives what comes back until the other side closes it. */
async function sendLast(port: number, request: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.end(request);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

function post(port: number, body: string, headers: readonly string[]): string {
  return rawRequest(port, [`Content-Length: ${body.length}`, ...headers], body);
}

/** The status and the body of each response. */
function answersIn(text: string): readonly string[] {
  return text
    .split('HTTP/1.1 ')
    .slice(1)
    .map((answer) => `${answer.slice(0, 3)} ${answer.split('\r\n\r\n')[1]}`);
}

const REFUSED =
  '400 {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"this is not an HTTP request"}}';

describe.each(FORMS)('requests %s', (_form, headers) => {
  test('behavior: requests sent before the client half-closed the connection are answered', async () => {
    const { port } = await startTestServer({ dispatcher: later });
    const requests = ['a', 'b', 'c'].map((body) => post(port, body, headers)).join('');
    expect(answersIn(await sendLast(port, requests))).toEqual(['200 "a"', '200 "b"', '200 "c"']);
  });

  test('error: garbage after requests is refused after their answers', async () => {
    const { port } = await startTestServer({ dispatcher: later });
    const requests = ['a', 'b'].map((body) => post(port, body, headers)).join('');
    expect(answersIn(await exchange(port, `${requests}garbage\r\n\r\n`))).toEqual([
      '200 "a"',
      '200 "b"',
      REFUSED,
    ]);
  });

  test('error: so is a request that ends too early', async () => {
    const { port } = await startTestServer({ dispatcher: later });
    const unfinished = rawRequest(port, ['Content-Length: 100', ...headers], 'x');
    for (const count of [0, 1, 2]) {
      const before = post(port, 'a', headers).repeat(count);
      const answers = new Array<string>(count).fill('200 "a"');
      expect(answersIn(await sendLast(port, `${before}${unfinished}`))).toEqual([...answers, REFUSED]);
    }
  });

  test('behavior: requests keep their order when the memory limit is reached', async () => {
    const { port } = await startTestServer({ dispatcher: later, limits: { heldBytesMax: 1 } });
    const requests = ['a', 'b', 'c'].map((body) => post(port, body, headers)).join('');
    expect(answersIn(await sendLast(port, requests))).toEqual(['200 "a"', '200 "b"', '200 "c"']);
  });

  test('behavior: a half-closed client that waits receives 102 Processing, then the response', async () => {
    const { dispatcher, release } = held();
    const { port } = await startTestServer({ dispatcher });
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.end(post(port, 'a', headers));
    expect(String(await once(socket, 'data'))).toBe('HTTP/1.1 102 Processing\r\n\r\n');
    release();
    expect(answersIn(String(await once(socket, 'data')))).toEqual(['200 "done"']);
  });

  test('behavior: a disconnected client is reported as gone to the dispatcher', async () => {
    const { dispatcher, asked } = held();
    let caller: Caller | undefined;
    const handle: Dispatcher['handle'] = (body, from) => {
      caller = from;
      return dispatcher.handle(body, from);
    };
    const { port } = await startTestServer({ dispatcher: dispatcherOf(handle) });
    const socket = connect({ port, host: '127.0.0.1' });
    socket.write(post(port, 'a', headers));
    await asked;
    socket.destroy();
    await expect.poll(() => caller?.isGone?.()).toBe(true);
  });
});

describe.each(FORMS)('a connection that ends after a request %s', (_form, headers) => {
  test('behavior: bytes after the last request do not truncate its response', async () => {
    const answer = 'x'.repeat(512 * 1024);
    const { port } = await startTestServer({ dispatcher: dispatcherOf(() => answer) });
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(post(port, 'a', [...headers, 'Connection: close']));
    // It keeps sending while it reads nothing.
    for (let count = 0; count < 50; count += 1) {
      socket.write('POST / HTTP/1.1');
      await new Promise(setImmediate);
    }
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => socket.end());
    await closed;
    expect(Buffer.concat(chunks).toString().endsWith(`\r\n\r\n${answer}`)).toBe(true);
  });
});
