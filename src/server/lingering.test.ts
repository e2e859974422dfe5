import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Connections } from './connections.ts';
import { LOOP_REQUESTS_MAX, ParseScheduler } from './parse-scheduler.ts';
import { startTestServer } from './server.testing.ts';
import { DEFAULT_SERVER_LIMITS } from './server-limits.ts';
import { LINGERING_BYTES_MAX, SocketReader } from './socket-reader.ts';

/** Bytes of one read from a socket. */
const PIECE = 64 * 1024;

/** A server that closes each connection after an immediate response, and its connections. */
async function listen(answer = '') {
  const turns = new ParseScheduler();
  const connections = new Connections({
    ...DEFAULT_SERVER_LIMITS,
    onRefused: () => undefined,
    onOpened: () => undefined,
  });
  const sockets: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(answer);
    const connection = connections.open(socket);
    if (connection === undefined) throw new Error('the connection was not taken in');
    const consumer = { consume: () => ({ bytes: 0, requests: 0 }) };
    new SocketReader(socket, connection, consumer, turns).endLingering();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

/** A client that sends until it has sent so many bytes, or is closed. */
function sendOn(port: number, bytes: number): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  const piece = Buffer.alloc(PIECE);
  let left = bytes;
  const write = (): void => {
    for (let goesOn = true; goesOn && left > 0; left -= PIECE) goesOn = socket.write(piece);
  };
  socket.on('drain', write).on('end', () => socket.end());
  socket.resume();
  write();
  return socket;
}

/** Waits until a connection is closed, in whatever way. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

test('default: an iteration of the event loop reads little of what many clients continue to send', async () => {
  const { port, sockets } = await listen();
  const clients = 100;
  const bytes = 16 * PIECE;
  for (let count = 0; count < clients; count += 1) sendOn(port, bytes);
  const read = (): number => sockets.reduce((sum, socket) => sum + socket.bytesRead, 0);
  let most = 0;
  for (let before = 0; before < clients * bytes; ) {
    await new Promise(setImmediate);
    const now = read();
    most = Math.max(most, now - before);
    before = now;
  }
  // Each connection starts with a separate chunk, and they arrive in a few iterations.
  expect(most).toBeLessThan((LOOP_REQUESTS_MAX + clients / 2) * PIECE);
});

test('behavior: a client that stops sending receives the response, whatever was in flight', async () => {
  const answer = 'the answer';
  const { port } = await listen(answer);
  const socket = sendOn(port, 100 * PIECE);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await closed(socket);
  expect(String(Buffer.concat(chunks))).toBe(answer);
});

test('behavior: a client that does not stop sending is closed after the byte limit of a refused body', async () => {
  const { port, sockets } = await listen();
  const socket = sendOn(port, 4 * LINGERING_BYTES_MAX);
  await closed(socket);
  expect(sockets[0]?.bytesRead).toBeLessThanOrEqual(LINGERING_BYTES_MAX + PIECE);
});

test('behavior: a request is answered while others continue to send after a refused body', async () => {
  const { port } = await startTestServer();
  const clients = Array.from({ length: 50 }, () => {
    const socket = sendOn(port, 0);
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n');
    const piece = Buffer.alloc(PIECE);
    const write = (): void => {
      while (socket.write(piece));
    };
    socket.on('drain', write);
    write();
    return closed(socket);
  });
  const asking = fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    body: '12',
    headers: { 'x-way': 'full' },
  });
  expect(await (await asking).text()).toBe('{"length":2}');
  await Promise.all(clients);
});
