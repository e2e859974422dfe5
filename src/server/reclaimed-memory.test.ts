import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Connection, Connections } from './connections.ts';
import { ParseScheduler } from './parse-scheduler.ts';
import { rawRequest, send, startTestServer, testMetrics } from './server.testing.ts';
import { SocketReader } from './socket-reader.ts';
import { frame, handshake } from './websocket/frames.testing.ts';

const MEBIBYTE = 1024 * 1024;
const TEXT = 0x81;
const CLOSE = 0x88;
const TRY_AGAIN_LATER = 1013;

/** Opens a connection from an address, which closes when the test ends. */
async function openFrom(address: string, port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: address });
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** Opens a WebSocket from an address, and sends a message of so many bytes without the last one. */
async function sendUnfinished(address: string, port: number, bytes: number): Promise<Socket> {
  const socket = await openFrom(address, port);
  expect(await send(socket, handshake('/'))).toMatch(/^HTTP\/1\.1 101 /);
  socket.write(frame(TEXT, 'x'.repeat(bytes)).subarray(0, -1));
  return socket;
}

test('default: unfinished WebSocket messages are reclaimed with a reason, and small holders spared', async () => {
  const everybodyIsSlow = { slowClientMs: 0, slowClientBytesPerSecond: Number.POSITIVE_INFINITY };
  const limits = { ...everybodyIsSlow, heldBytesMax: 4 * MEBIBYTE };
  const { port, url } = await startTestServer({ limits, metrics: testMetrics() });
  const heldFor = async (): Promise<number> => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(/^ledgerd_held_bytes\{[^}]*"requests"\} (\d+)$/m.exec(text)?.[1]);
  };
  const honest = await openFrom('127.0.0.1', port);
  const request = rawRequest(port, ['Content-Length: 20', 'Connection: close'], 'x'.repeat(20));
  honest.write(request.slice(0, -10));
  await expect.poll(heldFor).toBe(10);
  const largest = await sendUnfinished('127.0.0.2', port, MEBIBYTE);
  await expect.poll(heldFor).toBeGreaterThan(MEBIBYTE);
  await sendUnfinished('127.0.0.2', port, MEBIBYTE / 2);
  await expect.poll(heldFor).toBeGreaterThan(1.5 * MEBIBYTE);

  const closing = once(largest, 'data');
  await sendUnfinished('127.0.0.2', port, 0.75 * MEBIBYTE);
  const [close] = await closing;
  expect([close[0], close.readUInt16BE(2)]).toEqual([CLOSE, TRY_AGAIN_LATER]);
  expect(close.toString('latin1', 4)).toMatch(/exceeds the limit of 4194304 bytes \(--max-held\)/);
  expect(await send(honest, 'x'.repeat(10))).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\{"length":20\}$/s);
});

/** A scheduler that never parses. */
class NeverParsing extends ParseScheduler {
  override parse(): boolean {
    return false;
  }

  override enqueue(): void {}
}

test('behavior: a client whose bytes wait to be parsed does not count as slow', async () => {
  const refused: string[] = [];
  const connections = new Connections({
    connectionsMax: 10,
    heldBytesMax: MEBIBYTE,
    // Less than since the beginning of the process, and more than this test takes.
    slowClientMs: performance.now(),
    slowClientBytesPerSecond: Number.POSITIVE_INFINITY,
    onRefused: (reason) => refused.push(reason),
    onOpened: () => undefined,
  });
  const opened: (Connection | undefined)[] = [];
  const server = createServer((socket) => {
    const connection = connections.open(socket);
    opened.push(connection);
    const consumer = { consume: (bytes: Buffer) => ({ bytes: bytes.length, requests: 0 }) };
    if (connection !== undefined) new SocketReader(socket, connection, consumer, new NeverParsing());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const honest = await openFrom('127.0.0.1', port);
  honest.write('x'.repeat(32 * 1024));
  await expect.poll(() => connections.held.requests).toBeGreaterThan(16 * 1024);
  const { held, size } = connections;
  const bytes = held.requests;

  await Promise.all([once(server, 'connection'), openFrom('127.0.0.2', port)]);
  expect(opened.at(-1)?.receive(MEBIBYTE)).toBe(false);
  expect([refused, connections.size, connections.held.requests]).toEqual([[], size + 1, bytes]);
});
