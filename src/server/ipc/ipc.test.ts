import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { StoreProcess } from '../../store/store-process.testing.ts';
import { startServer } from '../index.ts';
import {
  dispatcherOf,
  echo,
  heldRequestBytes,
  send,
  startTestServer,
  testMetrics,
} from '../server.testing.ts';

function pathOf(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-ipc-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'node.ipc');
}

async function open(path: string): Promise<Socket> {
  const socket = connect(path);
  onTestFinished(() => void socket.destroy());
  // Being reset is one way to be closed.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Resolves at the end of a connection, also if it was reset. */
function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

/** Returns all that comes back until the server ends the connection. */
async function exchange(path: string, request: string, isLast = false): Promise<string> {
  const socket = await open(path);
  let text = '';
  socket.setEncoding('utf8').on('data', (piece) => {
    text += piece;
  });
  const closed = closeOf(socket);
  if (isLast) socket.end(request);
  else socket.write(request);
  await closed;
  return text;
}

/** Reads lines until there are so many. */
async function lines(socket: Socket, count: number): Promise<string[]> {
  let text = '';
  while (text.split('\n').length <= count) text += String((await once(socket, 'data'))[0]);
  return text.split('\n').slice(0, count);
}

const options = { host: '127.0.0.1', port: 0, root: 'ledger', allowedHosts: [], allowedOrigins: [] } as const;
const head = { number: () => 7, onChange: () => () => undefined };

test('default: requests get responses, each with a new line; only the owner may use the socket', async () => {
  const ipc = pathOf();
  const server = await startTestServer({ ipc });
  expect(statSync(ipc).mode & 0o777).toBe(0o600);
  const socket = await open(ipc);
  expect(await send(socket, '{"a":1}')).toBe('{"length":7}\n');
  socket.write('{"a":1} \n[{"b":"}]"}]{"c":');
  socket.write('"\\""}');
  expect(await lines(socket, 3)).toEqual(['{"length":7}', '{"length":12}', '{"length":10}']);
  const ended = closeOf(socket);
  await server.close();
  await ended;
  expect(existsSync(ipc)).toBe(false);
});

test('behavior: a client that ends after its requests gets all responses, then the end', async () => {
  const ipc = pathOf();
  let respond: (response: string) => void = () => undefined;
  await startTestServer({
    ipc,
    dispatcher: dispatcherOf((body) => {
      if (String(body) === '{}') return '"at once"';
      return new Promise((resolve) => {
        respond = resolve;
      });
    }),
  });
  const socket = await open(ipc);
  socket.end('{"long":1}{}');
  expect(await lines(socket, 1)).toEqual(['"at once"']);
  // The server has seen the end of the other one before that of this one.
  expect(await exchange(ipc, '{}', true)).toBe('"at once"\n');
  respond('"later"');
  const closed = closeOf(socket);
  expect(await lines(socket, 1)).toEqual(['"later"']);
  await closed;
});

test('default: the profile at / is served', async () => {
  const ipc = pathOf();
  await startTestServer({
    ipc,
    root: 'ethereum',
    dispatcher: dispatcherOf((_body, _caller, profile) => `"${profile}"`),
  });
  expect(await send(await open(ipc), '{}')).toBe('"ethereum"\n');
});

test('behavior: notifications reach the subscriber, after the response', async () => {
  const ipc = pathOf();
  await startTestServer({
    ipc,
    dispatcher: dispatcherOf((_body, caller) => {
      const notifications = caller?.notifications;
      notifications?.afterResponse(() => {
        notifications.subscriber.notify([[Buffer.from('{"one"'), Buffer.from(':1}')], [Buffer.from('{}')]]);
      });
      return '"subscribed"';
    }),
  });
  const socket = await open(ipc);
  socket.write('{}');
  expect(await lines(socket, 3)).toEqual(['"subscribed"', '{"one":1}', '{}']);
});

test('behavior: a client that reads no responses is read no further, and goes on when it reads', async () => {
  const ipc = pathOf();
  let count = 0;
  await startTestServer({
    ipc,
    dispatcher: dispatcherOf(() => {
      count += 1;
      return `"${'x'.repeat(100_000)}"`;
    }),
  });
  const socket = await open(ipc);
  socket.pause();
  socket.write('{}'.repeat(300));
  while (count === 0) await new Promise(setImmediate);
  for (let turn = 0; turn < 1_000; turn += 1) await new Promise(setImmediate);
  expect(count).toBeLessThan(300);
  let bytes = 0;
  const closed = closeOf(socket);
  socket.on('data', (piece) => {
    bytes += piece.length;
    if (bytes === 300 * 100_003) socket.end();
  });
  socket.resume();
  await closed;
  expect(count).toBe(300);
});

test.each([
  ['{}5{}', '{"length":2}\n', -32700, 'parse error: a request is a JSON object, or an array of them'],
  [`{"a":"${'x'.repeat(2_000)}"}{}`, '', -32005, 'the request exceeds the limit of 1024 bytes'],
])('error: %s', async (request, before, code, message) => {
  const ipc = pathOf();
  const metrics = testMetrics();
  await startTestServer({ ipc, metrics, limits: { bodyBytesMax: 1_024 } });
  const text = await exchange(ipc, request);
  expect(text.slice(0, before.length)).toBe(before);
  expect(JSON.parse(text.slice(before.length))).toEqual({
    ...{
      jsonrpc: '2.0',
      id: null,
      error: expect.objectContaining({ code, message: expect.stringContaining(message) }),
    },
  });
  expect(await heldRequestBytes(metrics)).toBe(0);
  const counted = 'ledgerd_websockets_closed_total{reason="malformed"} 1';
  while (!(await metrics.text()).includes(counted)) await new Promise(setImmediate);
});

test('error: bytes that exceed the memory of all clients end the connection', async () => {
  const ipc = pathOf();
  const metrics = testMetrics();
  await startTestServer({ ipc, metrics, limits: { bodyBytesMax: 2 ** 20, heldBytesMax: 100_000 } });
  expect(await exchange(ipc, `["${'x'.repeat(200_000)}`)).toBe('');
  expect(await heldRequestBytes(metrics)).toBe(0);
});

test('error: more connections than the share of a client are closed', async () => {
  const ipc = pathOf();
  await startTestServer({ ipc, limits: { webSocketsMax: 2 } });
  const first = await open(ipc);
  expect(await send(first, '{}')).toBe('{"length":2}\n');
  expect(await exchange(ipc, '{}')).toBe('');
  expect(await send(first, '{}')).toBe('{"length":2}\n');
});

test('behavior: a socket of a process that was killed is replaced', async () => {
  const ipc = pathOf();
  const killed = new StoreProcess(
    `const { createServer } = await import('node:net');
     createServer().listen(words[0], () => say('listening'));`,
    [ipc],
  );
  await killed.heard();
  await killed.kill();
  expect(existsSync(ipc)).toBe(true);
  await startTestServer({ ipc });
  expect(await send(await open(ipc), '{}')).toBe('{"length":2}\n');
});

test('error: a socket in use, another file, a missing folder and a long path; nothing listens then', async () => {
  const [used, file] = [pathOf(), pathOf()];
  const other = createServer().listen(used);
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  writeFileSync(file, 'mine');
  const long = `/${'x'.repeat(104)}`;
  for (const [ipc, reason] of [
    [used, 'another process listens there'],
    [file, 'a file that is no socket is there'],
    [join(file, 'below'), 'ENOTDIR'],
    [join(tmpdir(), 'ledgerd-missing', 'a.ipc'), 'its folder does not exist'],
    [long, 'its path has 105 bytes, more than the 103 of a socket'],
  ] as const) {
    const started = startServer({ ...options, head, dispatcher: echo, localOrigins: true, ipc });
    await expect(started).rejects.toThrow(`the IPC socket ${ipc}: `);
    await expect(started).rejects.toThrow(reason);
  }
  expect([existsSync(used), existsSync(file)]).toEqual([true, true]);
});

test('error: without a free port there is no socket', async () => {
  const { port } = await startTestServer();
  const ipc = pathOf();
  const started = startServer({ ...options, port, head, dispatcher: echo, localOrigins: true, ipc });
  await expect(started).rejects.toThrow('EADDRINUSE');
  expect(existsSync(ipc)).toBe(false);
});
