import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SMALL_CHUNKS_MAX } from '../http-response.ts';
import { LOOP_REQUESTS_MAX, ParseScheduler } from '../parse-scheduler.ts';
import { countTurns, exchangePieces, open, rawRequest, send, startTestServer } from '../server.testing.ts';
import { PARSED_LINES_MAX } from './chunked-body.ts';
import { startHttpServer } from './http-server.testing.ts';

/** A scheduler on a clock that advances by a millisecond at each reading. */
function slowTurns(): ParseScheduler {
  let now = 0;
  return new ParseScheduler(() => {
    now += 1;
    return now;
  });
}

test('default: an iteration of the event loop reads few of the chunks that many clients have sent', async () => {
  const turns = countTurns();
  const done = { status: 200, body: 'done' };
  const port = await startHttpServer(() => () => done, { parseScheduler: slowTurns(), onPiece: turns.note });
  const sockets = await Promise.all(Array.from({ length: 5 }, () => open(port)));
  const body = `${'1\r\nx\r\n'.repeat(SMALL_CHUNKS_MAX)}0\r\n\r\n`;
  const answers = sockets.map((socket) => once(socket, 'data'));
  for (const socket of sockets) socket.write(rawRequest(port, ['Transfer-Encoding: chunked'], body));
  await Promise.all(answers);
  expect(turns.sum()).toBe(5 * SMALL_CHUNKS_MAX);
  // Tasks before and after the queued ones, and one more reading of the clock.
  expect(turns.most()).toBeLessThanOrEqual(4 * PARSED_LINES_MAX);
});

test('behavior: an iteration of the event loop handles few of the pipelined requests', async () => {
  const turns = countTurns();
  const port = await startHttpServer(
    () => () => {
      turns.note();
      return { status: 200, body: '' };
    },
    { parseScheduler: slowTurns() },
  );
  const [clients, requests] = [40, 50];
  const sockets = await Promise.all(Array.from({ length: clients }, () => open(port)));
  const answered = sockets.map(
    (socket) =>
      new Promise<void>((resolve) => {
        let answers = 0;
        socket.on('data', (chunk) => {
          answers += String(chunk).split('HTTP/1.1 200').length - 1;
          if (answers === requests) resolve();
        });
      }),
  );
  for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(requests));
  await Promise.all(answered);
  expect(turns.sum()).toBe(clients * requests);
  expect(turns.most()).toBeLessThanOrEqual(2 * LOOP_REQUESTS_MAX);
});

test('behavior: all of many concurrent bodies are answered, and a small request does not wait', async () => {
  const { port } = await startTestServer();
  const chunks = 2_000;
  const sockets = await Promise.all(Array.from({ length: 20 }, () => open(port)));
  const answers = sockets.map(async (socket) => String((await once(socket, 'data'))[0]));
  const body = `40\r\n${'x'.repeat(64)}\r\n`.repeat(chunks);
  const [gone, small] = [await open(port), await open(port)];
  for (const socket of sockets) socket.write(rawRequest(port, ['Transfer-Encoding: chunked'], body));
  gone.write(rawRequest(port, ['Transfer-Encoding: chunked'], body.slice(1)));
  gone.destroy();
  for (let count = 0; count < 3; count += 1) {
    const request = rawRequest(port, ['Content-Length: 2', `X-Count: ${count}`], '{}');
    expect(await send(small, request)).toContain('{"length":2}');
  }
  for (const socket of sockets) socket.write('0\r\n\r\n');
  for (const answer of await Promise.all(answers)) expect(answer).toContain(`{"length":${chunks * 64}}`);
});

test('behavior: a body of only line feeds is not mistaken for many small chunks', async () => {
  const { port } = await startTestServer();
  const socket = await open(port);
  const length = 300_000;
  const request = rawRequest(port, [`Content-Length: ${length}`], '\n'.repeat(length));
  expect(await send(socket, request)).toContain(`{"length":${length}}`);
});

/** A text message of a client (RFC 6455, 5.2). */
function frameOf(text: string): Buffer {
  const payload = Buffer.from(text);
  const mask = randomBytes(4);
  const masked = payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  const head = Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 255]);
  return Buffer.concat([head, mask, masked]);
}

test('behavior: frames sent right after a WebSocket handshake arrive complete and in order', async () => {
  const { port } = await startTestServer();
  const socket = await open(port);
  const fields = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
  ];
  const lengths = Array.from({ length: 80 }, (_, index) => 200 + index);
  const request = `GET / HTTP/1.1\r\nHost: localhost\r\n${fields.join('\r\n')}\r\n\r\n`;
  socket.write(
    Buffer.concat([Buffer.from(request), ...lengths.map((length) => frameOf('\n'.repeat(length)))]),
  );
  let received = '';
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (received.includes(`{"length":${lengths.at(-1)}}`)) resolve();
    });
  });
  expect([...received.matchAll(/\{"length":(\d+)\}/g)].map(([, length]) => Number(length))).toEqual(lengths);
});

test('behavior: requests after an upgrade to another protocol are answered in order', async () => {
  const { port } = await startTestServer();
  const socket = await open(port);
  const lengths = Array.from({ length: 60 }, (_, index) => 200 + index);
  const upgrade = ['Connection: Upgrade', 'Upgrade: h2c'];
  const requests = lengths.map((length, index) =>
    rawRequest(port, [...(index === 3 ? upgrade : []), `Content-Length: ${length}`], '\n'.repeat(length)),
  );
  let received = '';
  socket.write(requests.join(''));
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      received += String(chunk);
      if (received.includes(`{"length":${lengths.at(-1)}}`)) resolve();
    });
  });
  expect([...received.matchAll(/\{"length":(\d+)\}/g)].map(([, length]) => Number(length))).toEqual(lengths);
});

/** Returns the facts of a request from a response. */
function echoed(method: string, target: string, content: string): string {
  return `${method} ${target} ${createHash('sha256').update(content).digest('hex')}`;
}

const body = fc.oneof(
  fc.string({ unit: fc.constantFrom('\n', 'x', '\r\n', '{}') }),
  fc.integer({ min: 0, max: 2_000 }).map((lines) => '\n'.repeat(lines)),
  fc.integer({ min: 0, max: 100_000 }).map((length) => 'x'.repeat(length)),
);
const chunked = fc
  .array(fc.string({ minLength: 1, unit: fc.constantFrom('\n', 'x') }), { maxLength: 200 })
  .map((chunks) => [
    chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join(''),
    chunks.join(''),
  ])
  .map(([text = '', content = '']) => [text, content] as const);
/** A request, and the body of its response. */
const oneRequest = fc.oneof(
  fc.nat({ max: 99 }).map((id) => [`GET /${id} HTTP/1.1\r\nHost: x\r\n\r\n`, echoed('GET', `/${id}`, '')]),
  body.map((text) => [
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
    echoed('POST', '/', text),
  ]),
  chunked.map(([text, content]) => [
    `PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${text}0\r\n\r\n`,
    echoed('PUT', '/', content),
  ]),
);

/** Sends bytes in pieces of some lengths, and ends its side; gives the bodies of the responses that come back. */
async function exchange(port: number, bytes: Buffer, lengths: readonly number[]): Promise<string[]> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  const answers = await exchangePieces(socket, bytes, lengths, (rest) => socket.end(rest));
  return answers.toString().match(/^[A-Z]+ \/\S* [0-9a-f]{64}/gm) ?? [];
}

test('behavior: whatever the pieces are, the requests are read whole', async () => {
  const port = await startHttpServer(
    (method, path) =>
      ({ body: content }) => ({ status: 200, body: `${echoed(method, path, content.toString())}\n` }),
    { parseScheduler: slowTurns() },
  );
  const requests = fc.array(oneRequest, { minLength: 1, maxLength: 30 });
  const lengths = fc.array(fc.nat({ max: 3_000 }), { maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(requests, lengths, async (asked, pieces) => {
      const bytes = Buffer.from(asked.map(([request]) => request).join(''));
      expect(await exchange(port, bytes, pieces)).toEqual(asked.map(([, response]) => response));
    }),
    { numRuns: 100 },
  );
});
