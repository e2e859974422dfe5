import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { dispatcherOf, open, rawRequest, startTestServer } from '../server.testing.ts';
import {
  LOOP_WRITE_BYTES_MAX,
  ResponseScheduler,
  type ScheduledResponseSink,
  WRITE_CHUNK_BYTES,
} from './response-writer.ts';

const CLIENTS = 20;
const LONG = `"${'x'.repeat(LOOP_WRITE_BYTES_MAX)}"`;
const SHORT = '"short"';

/** Reads from a connection until the end of a response has come. */
async function readUntil(socket: Socket, end: string): Promise<void> {
  let text = '';
  while (!text.endsWith(end)) {
    const [chunk] = await once(socket, 'data');
    text += String(chunk);
  }
}

/** A client that reads long responses, records the parts, and reads the next one when the test says so. */
function sinkOf(client: string, order: string[]) {
  const state = { take: () => {}, hasEnded: false, isGone: false };
  const sink: ScheduledResponseSink = {
    connection: { client, unwrittenBytes: 0, isGone: () => state.isGone },
    write: (_pieces, taken) => {
      order.push(client);
      state.take = taken;
    },
    end: () => {
      state.hasEnded = true;
    },
  };
  return { state, sink };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const part = Buffer.alloc(WRITE_CHUNK_BYTES);
const PARTS = LOOP_WRITE_BYTES_MAX / WRITE_CHUNK_BYTES;

test('default: an iteration of the event loop writes its share of long responses, and the next continues', async () => {
  const answers = new ResponseScheduler();
  const order: string[] = [];
  for (let index = 0; index < 2 * PARTS + 1; index += 1) answers.write([part], sinkOf('a', order).sink);
  expect(order).toHaveLength(PARTS);
  for (const written of [2 * PARTS, 2 * PARTS + 1]) {
    await turn();
    expect(order).toHaveLength(written);
  }
});

test('behavior: a response continues when the previous part is flushed, and ends after the last one', () => {
  const answers = new ResponseScheduler();
  const order: string[] = [];
  const { state, sink } = sinkOf('a', order);
  answers.write([Buffer.alloc(1), part, Buffer.alloc(1)], sink);
  expect([order.length, sink.connection.unwrittenBytes, state.hasEnded]).toEqual([1, 2, false]);
  state.take();
  expect([order.length, sink.connection.unwrittenBytes, state.hasEnded]).toEqual([2, 0, false]);
  state.take();
  expect([order.length, state.hasEnded]).toEqual([2, true]);
});

test('behavior: clients are served round-robin, regardless of their number of responses', async () => {
  const answers = new ResponseScheduler();
  const order: string[] = [];
  for (let index = 0; index < 3 * PARTS; index += 1) answers.write([part], sinkOf('many', order).sink);
  answers.write([part, part], sinkOf('one', order).sink);
  await turn();
  expect(order.slice(PARTS, PARTS + 2).toSorted()).toEqual(['many', 'one']);
});

test('behavior: the rest of a response to a disconnected client is dropped', () => {
  const answers = new ResponseScheduler();
  const order: string[] = [];
  const { state, sink } = sinkOf('a', order);
  answers.write([part, part], sink);
  state.isGone = true;
  state.take();
  expect(order).toEqual(['a']);
  expect(state.hasEnded).toBe(false);
});

test('behavior: many long answers are all written whole', async () => {
  const dispatcher = dispatcherOf((body) => (body.length === 1 ? SHORT : LONG));
  const { port } = await startTestServer({ dispatcher });
  const sockets = await Promise.all(Array.from({ length: CLIENTS + 1 }, () => open(port)));
  const answered = await Promise.all(
    sockets.map(async (socket, index) => {
      // The last response is short.
      const [body, end] = index < CLIENTS ? ['long', LONG] : ['s', SHORT];
      socket.write(rawRequest(port, [`Content-Length: ${body.length}`], body));
      await readUntil(socket, end);
      return body;
    }),
  );
  expect(answered.filter((body) => body === 'long')).toHaveLength(CLIENTS);
});
