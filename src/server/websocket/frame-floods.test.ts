import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { FRAMES_COST_MAX, MESSAGE_COST } from '../framing.ts';
import { LOOP_REQUESTS_MAX } from '../parse-scheduler.ts';
import {
  countTurns,
  dispatcherOf,
  exchangePieces,
  open,
  send,
  startTestServer,
  testMetrics,
} from '../server.testing.ts';
import { frame, handshake } from './frames.testing.ts';
import { WEBSOCKET_REQUESTS_MAX } from './web-socket-connection.ts';
import { MESSAGE_FRAGMENTS_MAX } from './web-sockets.ts';

const TEXT = 0x81;
const FIRST = 0x01;
const NEXT = 0x00;
const LAST = 0x80;
const CLOSE = 0x88;
const PING = 0x89;
const PONG = 0x8a;

/** Opens a WebSocket for frames that a test creates. */
async function connect(port: number): Promise<Socket> {
  const socket = await open(port);
  expect(await send(socket, handshake('/'))).toMatch(/^HTTP\/1\.1 101 /);
  return socket;
}

/** Waits until so much has come, and gives it. */
async function receive(socket: Socket, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  await new Promise<void>((resolve) => {
    socket.on('data', function take(chunk: Buffer) {
      chunks.push(chunk);
      length += chunk.length;
      if (length < bytes) return;
      socket.off('data', take);
      resolve();
    });
  });
  return Buffer.concat(chunks);
}

/** Sends so many requests over another connection that the server has read all earlier bytes. */
async function askOften(port: number): Promise<void> {
  const other = await connect(port);
  for (let count = 0; count < 200; count += 1) {
    const answer = receive(other, 1);
    other.write(frame(TEXT, 'other'));
    await answer;
  }
}

describe('floods of frames', () => {
  test('default: an iteration of the event loop handles few of the messages', async () => {
    const turns = countTurns();
    const dispatcher = dispatcherOf(() => {
      turns.note();
      return 'x';
    });
    const { port } = await startTestServer({ dispatcher });
    const sockets = await Promise.all([1, 2, 3].map(() => connect(port)));
    const answers = sockets.map((socket) => receive(socket, 3 * 5_000));
    for (const socket of sockets) socket.write(Buffer.alloc(6 * 5_000, frame(TEXT)));
    await Promise.all(answers);
    expect(turns.sum()).toBe(15_000);
    expect(turns.most()).toBeLessThanOrEqual(2 * (LOOP_REQUESTS_MAX + FRAMES_COST_MAX / MESSAGE_COST));
  });

  test('behavior: the iteration that accepts a connection parses none of its messages', async () => {
    let count = 0;
    let onAccepted = (): void => undefined;
    const dispatcher = {
      ...dispatcherOf(() => {
        count += 1;
        return 'x';
      }),
      noticeArrival: () => onAccepted(),
    };
    const { port } = await startTestServer({ dispatcher });
    const socket = await connect(port);
    socket.resume().write(Buffer.alloc(6 * 10_000, frame(TEXT)));
    while (count === 0) await new Promise(setImmediate);
    const parsed = new Promise<number>((resolve) => {
      onAccepted = () => {
        const before = count;
        setImmediate(() => resolve(count - before));
      };
    });
    await open(port);
    expect(await parsed).toBe(0);
    expect(count).toBeLessThan(10_000);
  });

  test('behavior: messages of a disconnected client are no longer read', async () => {
    let count = 0;
    const dispatcher = dispatcherOf(() => {
      count += 1;
      return 'x';
    });
    const { port } = await startTestServer({ dispatcher });
    const socket = await connect(port);
    socket.write(Buffer.alloc(6 * 10_000, frame(TEXT)));
    while (count === 0) await new Promise(setImmediate);
    socket.resetAndDestroy();
    await askOften(port);
    expect(count).toBeLessThan(10_000);
  });

  test('behavior: a message in pieces of every kind is whole in the end', async () => {
    const { port } = await startTestServer({ dispatcher: dispatcherOf((body) => `"${body}"`) });
    const socket = await connect(port);
    const answer = receive(socket, 2 + 4 + 3);
    const bytes = Buffer.concat([frame(FIRST, 'a'), frame(PING, 'x'), frame(NEXT), frame(LAST, 'b')]);
    for (const byte of bytes) {
      socket.write(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
    expect(String(await answer)).toContain('"ab"');
  });

  test('error: a message in too many fragments', async () => {
    const { port } = await startTestServer();
    const socket = await connect(port);
    const end = receive(socket, 4);
    const fragments = Buffer.alloc(7 * MESSAGE_FRAGMENTS_MAX, frame(NEXT, 'x'));
    socket.write(Buffer.concat([frame(FIRST, 'x'), fragments]));
    const close = await end;
    expect([close[0], close.readUInt16BE(2)]).toEqual([CLOSE, 1008]);
  });
});

describe('answers that are not taken', () => {
  test('default: no more is read, and all is answered in the end', async () => {
    const answer = 'x'.repeat(256 * 1024);
    let count = 0;
    const dispatcher = dispatcherOf((body) => {
      if (body.toString() === 'other') return 'x';
      count += 1;
      return answer;
    });
    const { port } = await startTestServer({ dispatcher });
    const socket = await connect(port);
    socket.pause();
    const requests = 400;
    socket.write(Buffer.alloc(6 * requests, frame(TEXT)));
    await askOften(port);
    // In addition to those in the memory of the system.
    expect(count).toBeLessThan(requests);
    const all = receive(socket, requests * answer.length);
    socket.resume();
    await all;
    expect(count).toBe(requests);
  });

  test('behavior: pongs are such answers', async () => {
    const metrics = testMetrics();
    const { port } = await startTestServer({ metrics });
    const socket = await connect(port);
    socket.pause();
    const pings = 100_000;
    const ping = frame(PING, 'x'.repeat(125));
    socket.write(Buffer.alloc(ping.length * pings, ping));
    await askOften(port);
    const all = receive(socket, pings * 127);
    socket.resume();
    const pongs = await all;
    expect([pongs[0], pongs.length]).toEqual([PONG, pings * 127]);
  });

  test('behavior: as many as there may be at a time are begun before any is taken', async () => {
    const releases: (() => void)[] = [];
    const dispatcher = dispatcherOf(() => new Promise((resolve) => releases.push(() => resolve('x'))));
    const { port } = await startTestServer({ dispatcher });
    const socket = await connect(port);
    const answers = receive(socket, 3 * 2 * WEBSOCKET_REQUESTS_MAX);
    socket.write(Buffer.alloc(6 * 2 * WEBSOCKET_REQUESTS_MAX, frame(TEXT)));
    for (let answered = 0; answered < 2 * WEBSOCKET_REQUESTS_MAX; answered += 1) {
      while (releases.length <= answered) await new Promise(setImmediate);
      expect(releases.length - answered).toBeLessThanOrEqual(WEBSOCKET_REQUESTS_MAX);
      releases[answered]?.();
    }
    await answers;
  });
});

test('behavior: compression is never negotiated, even if a client offers it', async () => {
  const { port } = await startTestServer();
  const webSocket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: true });
  onTestFinished(() => webSocket.terminate());
  await once(webSocket, 'open');
  expect(webSocket.extensions).toBe('');
});

/** A server of the library alone, which responds like `answerOf`. */
async function plainServer(): Promise<number> {
  const options = { host: '127.0.0.1', port: 0, maxFragments: MESSAGE_FRAGMENTS_MAX };
  const server = new WebSocketServer(options);
  server.on('connection', (webSocket) => {
    webSocket.on('message', (data) => webSocket.send(answerOf(String(data))));
    webSocket.on('error', () => undefined);
  });
  onTestFinished(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const answerOf = (text: string): string => `"${text.length}"`;

/** Sends frames in pieces of some lengths, and gives all that comes back. */
async function exchange(port: number, bytes: Buffer, lengths: readonly number[]): Promise<string> {
  const socket = await connect(port);
  const back = await exchangePieces(socket, bytes, lengths, (rest) => socket.write(rest));
  socket.destroy();
  return back.toString('latin1');
}

const text = fc.nat({ max: 70_000 }).map((length) => 'x'.repeat(length));
const short = fc.string({ unit: fc.constantFrom('a', 'é', '\n'), maxLength: 40 });
const control = fc.constantFrom(frame(PING), frame(PING, 'ping'), frame(PONG, 'pong'));
const message = fc.oneof(
  text.map((payload) => [frame(TEXT, payload)]),
  short.map((payload) => [frame(TEXT, payload)]),
  fc
    .tuple(
      short,
      fc.array(
        fc.oneof(
          control,
          short.map((part) => frame(NEXT, part)),
        ),
      ),
      short,
    )
    .map(([first, parts, last]) => [frame(FIRST, first), ...parts, frame(LAST, last)]),
  control.map((one) => [one]),
);
/** A close with the code 1000, masked by zeros. */
const CLOSED_NORMALLY = Buffer.from([CLOSE, 0x82, 0, 0, 0, 0, 0x03, 0xe8]);
/** Invalid frames, here or anywhere. */
const broken = fc.constantFrom(
  frame(NEXT, 'x'),
  frame(0x83, 'x'),
  frame(0xc1, 'x'),
  frame(0x09, 'x'),
  Buffer.from([TEXT, 0x01, 0x78]),
  Buffer.from([TEXT, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
  Buffer.concat([Buffer.from([TEXT, 0x82, 0, 0, 0, 0]), Buffer.from([0xc3, 0x28])]),
);

test('behavior: responses are the same with and without interleaving, for any input', async () => {
  const [guarded, plain] = [
    (await startTestServer({ dispatcher: dispatcherOf((body) => answerOf(body.toString())) })).port,
    await plainServer(),
  ];
  const conversation = fc.record({
    messages: fc.array(message, { maxLength: 25 }),
    last: fc.oneof(
      broken,
      fc.constant(frame(CLOSE)),
      fc.constant(frame(CLOSE, '\x0b\xb8')),
      fc.constant(CLOSED_NORMALLY),
    ),
    behind: fc.uint8Array({ maxLength: 2_000 }),
    lengths: fc.array(fc.nat({ max: 3_000 }), { maxLength: 10 }),
  });
  await fc.assert(
    fc.asyncProperty(conversation, async ({ messages, last, behind, lengths }) => {
      const bytes = Buffer.concat([...messages.flat(), last, behind]);
      expect(await exchange(guarded, bytes, lengths)).toBe(await exchange(plain, bytes, lengths));
    }),
    { numRuns: 60 },
  );
});
