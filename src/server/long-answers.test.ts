import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { TURN_WRITE_BYTES_MAX } from '../limits.ts';
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

test.each([
  ['straight from the socket', true],
  ['by the full server', false],
])('behavior: many long answers hold up no short one, %s', async (_, isDirect) => {
  const dispatcher = dispatcherOf((body) => (body.length === 1 ? SHORT : LONG));
  const { port } = await startTestServer({ dispatcher, isDirect });
  const sockets = await Promise.all(Array.from({ length: CLIENTS + 1 }, () => open(port)));
  const order: string[] = [];
  await Promise.all(
    sockets.map(async (socket, index) => {
      // The last one asks for little.
      const [body, end] = index < CLIENTS ? ['long', LONG] : ['s', SHORT];
      socket.write(rawRequest(port, [`Content-Length: ${body.length}`], body));
      await readUntil(socket, end);
      order.push(body);
    }),
  );
  expect(order).toHaveLength(CLIENTS + 1);
  expect(order.indexOf('s')).toBeLessThan(CLIENTS);
});
