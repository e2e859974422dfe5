import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { dispatcherOf, startTestServer } from './server.testing.ts';

/** A request of a random stream: its bytes, and its method, which decides if the response has a body. */
interface Sent {
  readonly method: string;
  readonly bytes: string;
}

const chunked = (body: string, length: number): string =>
  `${(body.match(new RegExp(`.{1,${length}}`, 'g')) ?? [])
    .map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`)
    .join('')}0\r\n\r\n`;

/** A body; the server responds to one that begins with "later" in a later iteration of the event loop. */
const body = fc
  .tuple(fc.constantFrom('', 'later'), fc.stringMatching(/^[a-z0-9]{0,40}$/))
  .map(([prefix, text]) => prefix + text);
/** Headers other than Host and those that delimit the body; most requests have none. */
const fields = fc.oneof(
  { weight: 3, arbitrary: fc.constant<string[]>([]) },
  {
    weight: 2,
    arbitrary: fc.subarray(['Content-Type: application/json', 'X-Any: thing', 'User-Agent: random/1']),
  },
);
const post = fc.record({
  method: fc.constant('POST'),
  target: fc.oneof(
    { weight: 6, arbitrary: fc.constant('/') },
    { weight: 1, arbitrary: fc.constantFrom('/ethereum', '/nowhere') },
  ),
  body,
});
const other = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'PUT', 'DELETE'),
  target: fc.constantFrom('/', '/nowhere'),
  body,
});
const request = fc
  .record({
    head: fc.oneof({ weight: 4, arbitrary: post }, { weight: 1, arbitrary: other }),
    fields,
    chunkLength: fc.option(fc.integer({ min: 1, max: 20 }), { freq: 3 }),
  })
  .map(({ head: { method, target, body: text }, fields: extra, chunkLength }): Sent => {
    const length = chunkLength === null ? `Content-Length: ${text.length}` : 'Transfer-Encoding: chunked';
    const head = [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...extra, length].join('\r\n');
    const content = chunkLength === null ? text : chunked(text, chunkLength);
    return { method, bytes: `${head}\r\n\r\n${content}` };
  });

/** Bytes of each segment, and the iterations of the event loop after it. */
const segments = fc.array(fc.tuple(fc.integer({ min: 1, max: 300 }), fc.nat({ max: 3 })), { maxLength: 8 });

/** The response by plain `node:http`, without any code of this project. */
async function respondPlainly(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = (await request.toArray()).join('');
  const isKnown = request.url === '/' || request.url === '/ethereum';
  const isPost = request.method === 'POST';
  response.statusCode = !isKnown ? 404 : isPost ? 200 : 405;
  response.end(isKnown && isPost ? `"${text}"` : 'refused');
}

async function startPlainServer(): Promise<number> {
  const server = createServer((request, response) => void respondPlainly(request, response));
  // Node's option for clients that half-close, which it does not document.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Sends bytes in segments, half-closes with the last one, and returns what comes back until the server ends. */
async function exchangeSegments(
  port: number,
  text: string,
  cuts: readonly [length: number, turns: number][],
): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = once(socket, 'end');
  await once(socket, 'connect');
  let sent = 0;
  for (const [length, turns] of cuts) {
    if (sent + length >= text.length) break;
    socket.write(text.slice(sent, sent + length));
    sent += length;
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
  }
  socket.end(text.slice(sent));
  await ended;
  socket.destroy();
  return Buffer.concat(chunks).toString('latin1');
}

/** The responses as status and, with status 200, body. Throws when bytes are no sequence of responses. */
function responsesIn(text: string, requests: readonly Sent[]): (readonly [status: string, body: string])[] {
  let rest = text;
  const responses: (readonly [string, string])[] = [];
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n') + 4;
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(rest) ?? [];
    if (end < 4 || status === undefined) throw new Error(`no response begins with ${JSON.stringify(rest)}`);
    const head = rest.slice(0, end);
    rest = rest.slice(end);
    // Interim responses belong to the one that follows.
    if (status.startsWith('1')) continue;
    const isEmpty = requests[responses.length]?.method === 'HEAD' || status === '204';
    const length = isEmpty ? 0 : Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? Number.NaN);
    responses.push([status, status === '200' ? rest.slice(0, length) : '']);
    rest = rest.slice(length);
  }
  return responses;
}

test('behavior: every stream of pipelined requests gets the responses of plain node:http, in order', async () => {
  const dispatcher = dispatcherOf((bytes) => {
    const response = `"${bytes.toString()}"`;
    return response.startsWith('"later') ? new Promise(setImmediate).then(() => response) : response;
  });
  const { port } = await startTestServer({ dispatcher });
  const plainPort = await startPlainServer();
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 6 }), segments, async (requests, cuts) => {
      const text = requests.map(({ bytes }) => bytes).join('');
      const expected = responsesIn(await exchangeSegments(plainPort, text, cuts), requests);
      expect(expected).toHaveLength(requests.length);
      expect(responsesIn(await exchangeSegments(port, text, cuts), requests)).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});
