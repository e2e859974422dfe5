import { once } from 'node:events';
import { expect, test } from 'vitest';
import { HANDED_OVER_BYTES_MAX } from '../../limits.ts';
import { open, rawRequest, startTestServer } from '../server.testing.ts';
import { HandOvers } from './hand-overs.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('default: what is little goes at once, and of what is much one in a turn of the event loop', async () => {
  const handOvers = new HandOvers();
  const order: string[] = [];
  const add = (name: string, bytes: number): void => handOvers.add(bytes, () => order.push(name));
  add('a', 200);
  add('b', 200);
  add('c', HANDED_OVER_BYTES_MAX);
  add('d', 2 * HANDED_OVER_BYTES_MAX);
  add('e', 0);
  expect(order).toEqual(['a', 'b']);
  await turn();
  expect(order).toEqual(['a', 'b', 'c']);
  await turn();
  expect(order).toEqual(['a', 'b', 'c', 'd']);
  await turn();
  expect(order).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('behavior: all that many clients have sent at once is answered', async () => {
  const { port } = await startTestServer();
  const chunks = 2_000;
  const length = chunks * 64;
  const sockets = await Promise.all(Array.from({ length: 20 }, () => open(port)));
  const answers = sockets.map(async (socket) => String((await once(socket, 'data'))[0]));
  const body = `${`40\r\n${'x'.repeat(64)}\r\n`.repeat(chunks)}0\r\n\r\n`;
  for (const socket of sockets) socket.write(rawRequest(port, ['Transfer-Encoding: chunked'], body));
  const gone = await open(port);
  gone.write(rawRequest(port, ['Transfer-Encoding: chunked'], body.slice(1)));
  gone.destroy();
  for (const answer of await Promise.all(answers)) expect(answer).toContain(`{"length":${length}}`);
});
