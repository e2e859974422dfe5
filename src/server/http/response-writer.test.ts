import { once } from 'node:events';
import { expect, test } from 'vitest';
import { dispatcherOf, open, rawRequest, startTestServer } from '../server.testing.ts';
import { type ResponseSink, ResponseWriter } from './response-writer.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A writer, and a response to a client whose name is noted when it is written. */
function openWriter() {
  const writer = new ResponseWriter(1_000, 1_000);
  const order: string[] = [];
  const respond = (name: string): void => {
    const socket = { writableLength: 0, write: () => true };
    const onRead = (): void => void order.push(name);
    writer.write({ status: 200 }, { socket, onRead, onWritten: () => undefined } as unknown as ResponseSink);
  };
  return { writer, order, respond };
}

test('default: ready responses are written together after pending input is read, and only once', async () => {
  const { order, respond } = openWriter();
  for (const name of ['a', 'b']) respond(name);
  expect(order).toEqual([]);
  await turn();
  expect(order).toEqual(['a', 'b']);
  await turn();
  expect(order).toEqual(['a', 'b']);
});

test('behavior: ready responses are written immediately, before a long task', async () => {
  const { writer, order, respond } = openWriter();
  respond('a');
  writer.writeReady();
  expect(order).toEqual(['a']);
  respond('b');
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
