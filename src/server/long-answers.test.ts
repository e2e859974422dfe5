import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { TURN_WRITE_BYTES_MAX } from '../limits.ts';
import { LongAnswers } from './long-answers.ts';
import { dispatcherOf, open, rawRequest, startTestServer } from './server.testing.ts';

const CLIENTS = 20;
const LONG = `"${'x'.repeat(TURN_WRITE_BYTES_MAX)}"`;
const SHORT = '"short"';

/** Reads from a connection until the end of a response has come. */
async function readUntil(socket: Socket, end: string): Promise<void> {
  let text = '';
  while (!text.endsWith(end)) {
    const [chunk] = await once(socket, 'data');
    text += String(chunk);
  }
}

test('default: one turn of the event loop writes its share of long answers, and what is short at once', async () => {
  const answers = new LongAnswers();
  const order: string[] = [];
  for (let index = 0; index < 3; index += 1) answers.write(TURN_WRITE_BYTES_MAX, () => order.push('long'));
  answers.write(1, () => order.push('short'));
  expect(order).toEqual(['long', 'short']);
  for (const written of [3, 4]) {
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toHaveLength(written);
  }
});

test.each([
  ['straight from the socket', true],
  ['by the full server', false],
])('behavior: many long answers are all written whole, %s', async (_, isDirect) => {
  const dispatcher = dispatcherOf((body) => (body.length === 1 ? SHORT : LONG));
  const { port } = await startTestServer({ dispatcher, isDirect });
  const sockets = await Promise.all(Array.from({ length: CLIENTS + 1 }, () => open(port)));
  const answered = await Promise.all(
    sockets.map(async (socket, index) => {
      // The last one asks for little.
      const [body, end] = index < CLIENTS ? ['long', LONG] : ['s', SHORT];
      socket.write(rawRequest(port, [`Content-Length: ${body.length}`], body));
      await readUntil(socket, end);
      return body;
    }),
  );
  expect(answered.filter((body) => body === 'long')).toHaveLength(CLIENTS);
});
