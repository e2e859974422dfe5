import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Handler, RequestHeaders } from '../http-response.ts';
import { portOf, startHttpServer } from './http-server.testing.ts';
import {
  BODY_BYTES_MAX,
  byteChanges,
  ECHOED_HEADERS,
  HEAD_BYTES_MAX,
  requestStreams,
  type SentRequest,
  segments,
} from './http-streams.testing.ts';

/** Set by `scripts/fuzz-http.js`; without them the tests run for as long as other tests. */
const SECONDS = Number(process.env.HTTP_SECONDS ?? 0);
const SEED = process.env.HTTP_SEED === undefined ? undefined : Number(process.env.HTTP_SEED);
/** Time for the last stream to be responded to. */
const ENDING_MS = 60_000;

/** A response: its status, and its body where it is none of a refusal. */
type Received = readonly [status: number, body: string];

/** Returns the response body of both servers. */
function echoOf(method: string, target: string, headers: Partial<RequestHeaders>, content: string): string {
  const fields = ECHOED_HEADERS.map((name) => headers[name] ?? null);
  const isIgnored = method === 'GET' || method === 'HEAD';
  return JSON.stringify([method, target, fields, isIgnored ? '' : content]);
}

/** Starts the HTTP server of this project with a handler that returns its input. */
function startOwnServer(): Promise<number> {
  const handlerOf = (method: string, path: string): Handler => {
    return ({ query, headers, body }) => {
      const content = body.toString();
      const target = query === '' ? path : `${path}?${query}`;
      const answer = { status: 200, body: echoOf(method, target, headers, content) };
      return content.startsWith('later') ? new Promise(setImmediate).then(() => answer) : answer;
    };
  };
  return startHttpServer(handlerOf, {
    limits: { bodyBytesMax: BODY_BYTES_MAX, headerBytesMax: HEAD_BYTES_MAX },
  });
}

/** Starts a plain `node:http` server that does the same, without any code of this project. */
function startNodeServer(): Promise<number> {
  const pending = new WeakMap<Socket, Set<IncomingMessage>>();
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const requests = pending.get(request.socket) ?? new Set();
    pending.set(request.socket, requests.add(request));
    const content = Buffer.concat(await request.toArray()).toString();
    const { method = '', url = '', headers } = request;
    const fields = ECHOED_HEADERS.map((name) => [name, headers[name] as string | undefined] as const);
    const target = url.replace(/^https?:\/\/[^/]*/, '').replace(/\?$/, '');
    const echoed = echoOf(method, target, Object.fromEntries(fields) as RequestHeaders, content);
    response.setHeader('content-length', Buffer.byteLength(echoed));
    response.end(echoed, () => requests.delete(request));
  };
  const server = createServer({ maxHeaderSize: HEAD_BYTES_MAX }, (request, response) => {
    respond(request, response).catch(() => undefined);
  });
  // Node's option for clients that half-close, which it does not document.
  Object.assign(server, { httpAllowHalfOpen: true });
  // A connection that is closed with bytes unread is reset, and its client may lose the last responses.
  server.on('connection', (socket) => Object.assign(socket, { destroySoon: () => socket.end() }));
  server.on('clientError', (error: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket;
    const isWaitedFor = ({ complete }: IncomingMessage): boolean => complete;
    const refuse = (): void => {
      if ([...(pending.get(socket) ?? [])].some(isWaitedFor) && !socket.destroyed) setImmediate(refuse);
      else if (socket.writable) socket.end(`HTTP/1.1 ${statusOf(error)} No\r\nContent-Length: 0\r\n\r\n`);
    };
    // Bytes behind the last request mean nothing.
    if (error.code !== 'HPE_CLOSED_CONNECTION') refuse();
  });
  return portOf(server);
}

function statusOf({ code }: NodeJS.ErrnoException): number {
  return code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
}

/** Sends bytes in segments, half-closes with the last one, and returns what comes back until the server ends. */
async function exchange(port: number, text: string, cuts: readonly [length: number, turns: number][]) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined);
  const ended = new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
  await once(socket, 'connect');
  let sent = 0;
  for (const [length, turns] of cuts) {
    if (sent + length >= text.length || socket.readableEnded) break;
    socket.write(text.slice(sent, sent + length), 'latin1');
    sent += length;
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
  }
  socket.end(text.slice(sent), 'latin1');
  await ended;
  socket.destroy();
  return Buffer.concat(chunks).toString('latin1');
}

/** Reads the responses to requests with these methods. Throws if bytes are no sequence of responses. */
function responsesIn(text: string, methods: readonly (string | undefined)[]): Received[] {
  let rest = text;
  const responses: Received[] = [];
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n') + 4;
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(rest)?.[1] ?? Number.NaN);
    if (end < 4 || Number.isNaN(status)) throw new Error(`no response begins with ${JSON.stringify(rest)}`);
    const head = rest.slice(0, end);
    rest = rest.slice(end);
    // Interim responses belong to the one that follows.
    if (status < 200) continue;
    const isEmpty = status === 200 && methods[responses.length] === 'HEAD';
    const length = isEmpty ? 0 : Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? Number.NaN);
    responses.push([status, status === 200 ? rest.slice(0, length) : '']);
    rest = rest.slice(length);
  }
  return responses;
}

/** The requests of a stream to which there are responses. */
function respondedOf(requests: readonly SentRequest[]): readonly SentRequest[] {
  const last = requests.findIndex(({ isLast }) => isLast);
  return last < 0 ? requests : requests.slice(0, last + 1);
}

/** Runs a property for the configured time, and prints the seed of a campaign. */
async function check<Values>(property: fc.IAsyncProperty<Values>, numRuns: number) {
  const seed = SEED ?? Date.now() % 2 ** 31;
  if (SECONDS > 0) process.stdout.write(`random streams of requests for ${SECONDS} s with seed ${seed}\n`);
  const bound = SECONDS > 0 ? { numRuns: 1e9, interruptAfterTimeLimit: SECONDS * 1_000 } : { numRuns };
  await fc.assert(property, { seed, ...bound });
}

const TIMES = SECONDS > 0 ? { timeout: SECONDS * 1_000 + ENDING_MS } : {};

test('default: every stream of requests gets the responses of node:http', TIMES, async () => {
  const [ownPort, nodePort] = [await startOwnServer(), await startNodeServer()];
  const property = fc.asyncProperty(requestStreams, segments, async (requests, cuts) => {
    const text = requests.map(({ bytes }) => bytes).join('');
    const responded = respondedOf(requests);
    const methods = responded.map(({ method }) => method);
    const own = responsesIn(await exchange(ownPort, text, cuts), methods);
    expect(own).toHaveLength(responded.length);
    const { refusal } = responded.at(-1) ?? {};
    if (refusal !== undefined) expect(own.at(-1)).toEqual([refusal, '']);
    const allowed = refusal === undefined ? responded.length : responded.length - 1;
    const allowedText = responded.slice(0, allowed).map(({ bytes }) => bytes);
    const node = responsesIn(await exchange(nodePort, allowedText.join(''), cuts), methods);
    expect(own.slice(0, allowed)).toEqual(node);
  });
  await check(property, 300);
});

test('behavior: a stream with a changed byte gets them too, or is refused earlier', TIMES, async () => {
  const [ownPort, nodePort] = [await startOwnServer(), await startNodeServer()];
  const property = fc.asyncProperty(requestStreams, segments, byteChanges, async (requests, cuts, change) => {
    const whole = respondedOf(requests)
      .map(({ bytes }) => bytes)
      .join('');
    const at = Math.floor(change.at * whole.length);
    const text = whole.slice(0, at) + change.added + whole.slice(at + change.removed);
    const [ownText, nodeText] = [await exchange(ownPort, text, cuts), await exchange(nodePort, text, cuts)];
    expect(isAsStrict(ownText, nodeText)).toBe(true);
  });
  await check(property, 200);
});

/** Returns true if the responses are those of Node's server, at least up to the first refusal. */
function isAsStrict(ownText: string, nodeText: string): boolean {
  // A response to HEAD, which a change may have made of another method, has no body.
  const [own, node] = [headsIn(ownText), headsIn(nodeText)];
  const refused = own.findIndex((response) => !response.startsWith('200'));
  const count = refused < 0 ? Math.max(own.length, node.length) : refused;
  return own.slice(0, count).join() === node.slice(0, count).join();
}

/** The status of each response, and the echo that follows it. */
function headsIn(text: string): string[] {
  const found = text.matchAll(
    /HTTP\/1\.1 ([2-5]\d\d) [\s\S]*?\r\n\r\n(\["[\s\S]*?\]|\{"jsonrpc"[\s\S]*?|)(?=HTTP\/1\.1|$)/g,
  );
  return [...found].map(([, status, content]) => `${status} ${content}`);
}
