import { once } from 'node:events';
import { expect, test } from 'vitest';
import { dispatcherOf, open, rawRequest, startTestServer } from '../server.testing.ts';
import { ResponseBatch } from './event-loop.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('default: ready responses are written together after pending input is read, and only once', async () => {
  const batch = new ResponseBatch();
  const order: string[] = [];
  for (const name of ['a', 'b']) batch.add({ write: () => order.push(name) });
  expect(order).toEqual([]);
  await turn();
  expect(order).toEqual(['a', 'b']);
  await turn();
  expect(order).toEqual(['a', 'b']);
});

test('behavior: write sends the responses immediately, before a long task', async () => {
  const batch = new ResponseBatch();
  const order: string[] = [];
  batch.add({ write: () => order.push('a') });
  batch.write();
  expect(order).toEqual(['a']);
  batch.add({ write: () => order.push('b') });
  await turn();
  expect(order).toEqual(['a', 'b']);
});

test('behavior: a server writes ready responses before each round of its dispatcher', async () => {
  let beforeRound: () => void = () => undefined;
  const dispatcher = {
    ...dispatcherOf(() => {
      // The round, which would delay the response, runs before the next iteration of the event loop.
      queueMicrotask(() => {
        beforeRound();
        log.push('round');
      });
      return '"quick"';
    }),
    beforeRounds: (act: () => void) => {
      beforeRound = () => {
        act();
        log.push('written');
      };
    },
  };
  const log: string[] = [];
  const { port } = await startTestServer({ dispatcher });
  const socket = await open(port);
  socket.write(rawRequest(port, ['Content-Length: 1'], 'x'));
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toContain('"quick"');
  expect(log).toEqual(['written', 'round']);
});
