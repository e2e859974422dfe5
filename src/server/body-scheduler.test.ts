import { once } from 'node:events';
import { expect, test } from 'vitest';
import { LongBody } from '../rpc/index.ts';
import { BodyScheduler, LOOP_READ_BYTES_MAX } from './body-scheduler.ts';
import { CHUNK_BYTES_MIN, SMALL_CHUNKS_MAX } from './http-response.ts';
import { dispatcherOf, exchange, open, rawRequest, startTestServer } from './server.testing.ts';

const PIECE = 64 * 1024;

function source() {
  const state = { isPaused: false, pause: () => {}, resume: () => {} };
  state.pause = () => {
    state.isPaused = true;
  };
  state.resume = () => {
    state.isPaused = false;
  };
  return state;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

const READ_TOGETHER = Math.floor(LOOP_READ_BYTES_MAX / PIECE);

/** Bodies of a client, each longer than the budget of an iteration, in the order of their starts. */
function waitingBodies(bodies: BodyScheduler, client: string, count: number) {
  return Array.from({ length: count }, () => {
    const state = source();
    const body = bodies.open(state, client);
    body.note(LOOP_READ_BYTES_MAX);
    return { state, body };
  });
}

test('default: an iteration of the event loop reads its share, and the rest waits for the next ones', async () => {
  const bodies = new BodyScheduler();
  const sources = Array.from({ length: 30 }, source);
  for (const each of sources) bodies.open(each, 'a').note(PIECE);
  const waiting = () => sources.filter(({ isPaused }) => isPaused).length;
  // The one that reaches the bound waits too.
  expect(waiting()).toBe(30 - READ_TOGETHER + 1);
  const first = waiting();
  await turn();
  expect(waiting()).toBe(first - READ_TOGETHER);
  for (let left = waiting(); left > 0; left -= READ_TOGETHER) await turn();
  expect(waiting()).toBe(0);
});

test('behavior: many small pieces are a share as well', () => {
  const each = source();
  const body = new BodyScheduler().open(each, 'a');
  let pieces = 0;
  while (!each.isPaused) {
    body.note(1);
    pieces += 1;
  }
  expect(pieces).toBeLessThan(LOOP_READ_BYTES_MAX / 100);
});

test('behavior: bodies that started first are read to their end first', async () => {
  const bodies = new BodyScheduler();
  const all = waitingBodies(bodies, 'a', READ_TOGETHER + 5);
  const [first, rest] = [all.slice(0, READ_TOGETHER), all.slice(READ_TOGETHER)];
  for (let round = 0; round < 3; round += 1) {
    await turn();
    expect(first.map(({ state }) => state.isPaused)).not.toContain(true);
    expect(rest.map(({ state }) => state.isPaused)).not.toContain(false);
    for (const { body } of first) body.note(LOOP_READ_BYTES_MAX);
  }
  for (const { body } of first) body.close();
  await turn();
  expect(rest.map(({ state }) => state.isPaused)).not.toContain(true);
});

test('behavior: the body of another client does not wait for all bodies of one client', async () => {
  const bodies = new BodyScheduler();
  waitingBodies(bodies, 'a', 100);
  const [other] = waitingBodies(bodies, 'b', 1);
  await turn();
  expect(other?.state.isPaused).toBe(false);
});

test('behavior: a body behind an aborted one does not wait for it', async () => {
  const bodies = new BodyScheduler();
  const [given, next] = waitingBodies(bodies, 'a', 2);
  given?.body.close();
  expect(given?.state.isPaused).toBe(false);
  await turn();
  expect(next?.state.isPaused).toBe(false);
});

/** A chunk of so many bytes, as it is sent. */
function chunkOf(bytes: number): string {
  return `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`;
}

const BODY = 'x'.repeat(3 * 1024 * 1024);

test('behavior: long bodies of many clients are all read whole', async () => {
  const kinds = new Set<boolean>();
  const dispatcher = dispatcherOf((body) => {
    kinds.add(body instanceof LongBody);
    return body.toString() === BODY ? '"whole"' : '"other"';
  });
  const { port } = await startTestServer({ dispatcher });
  const request = rawRequest(port, [`Content-Length: ${BODY.length}`, 'Connection: close'], BODY);
  const answers = await Promise.all(Array.from({ length: 12 }, () => exchange(port, request)));
  expect(answers.every((answer) => answer.endsWith('"whole"'))).toBe(true);
  expect([...kinds]).toEqual([true]);
});

test('behavior: a body in small chunks is read whole, and others are answered meanwhile', async () => {
  const { port } = await startTestServer();
  const chunks = 20_000;
  const length = chunks * 2 * CHUNK_BYTES_MIN;
  const socket = await open(port);
  const answered = once(socket, 'data');
  socket.write(
    rawRequest(
      port,
      ['Transfer-Encoding: chunked'],
      `${chunkOf(2 * CHUNK_BYTES_MIN).repeat(chunks)}0\r\n\r\n`,
    ),
  );
  expect(await exchange(port, rawRequest(port, ['Content-Length: 1', 'Connection: close'], 'x'))).toContain(
    '{"length":1}',
  );
  const [answer] = await answered;
  expect(String(answer)).toContain(`{"length":${length}}`);
});

test('error: a body in very many smaller chunks is refused, and the rest of it not read', async () => {
  const { port } = await startTestServer();
  const few = `${chunkOf(1).repeat(SMALL_CHUNKS_MAX)}0\r\n\r\n`;
  const fields = ['Transfer-Encoding: chunked', 'Connection: close'];
  expect(await exchange(port, rawRequest(port, fields, few))).toContain(`{"length":${SMALL_CHUNKS_MAX}}`);
  const socket = await open(port);
  const closed = once(socket, 'close');
  const [answer] = await Promise.all([
    once(socket, 'data'),
    socket.write(rawRequest(port, fields, chunkOf(CHUNK_BYTES_MIN - 1).repeat(SMALL_CHUNKS_MAX + 1))),
  ]);
  expect(String(answer)).toContain('HTTP/1.1 400 ');
  expect(String(answer)).toContain(`exceeds the limit of ${SMALL_CHUNKS_MAX} pieces`);
  await closed;
});

test('error: a client that disconnects in the middle of a waiting body leaves no state behind', async () => {
  const { port } = await startTestServer();
  const sockets = await Promise.all(Array.from({ length: 8 }, () => open(port)));
  const part = rawRequest(port, [`Content-Length: ${BODY.length}`], BODY.slice(1));
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.write(part, resolve))));
  const closed = sockets.map((socket) => once(socket, 'close'));
  for (const socket of sockets) socket.destroy();
  await Promise.all(closed);
  const request = rawRequest(port, [`Content-Length: ${BODY.length}`, 'Connection: close'], BODY);
  expect(await exchange(port, request)).toContain(`{"length":${BODY.length}}`);
});
