import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LONG_ANSWER_CHARACTERS, WAITING_REQUEST_BYTES } from '../limits.ts';
import { InternalError, InvalidRequestError, type LongBody } from '../rpc/index.ts';
import { type AccessCheck, type AccessRefusal, originFields } from './access.ts';
import { givePieces } from './answer-pieces.ts';
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';
import { askWhileHalfClosed } from './half-closed.ts';
import { MIN_BLOCK_FIELD } from './head-fields.ts';
import type { HeadWaits } from './head-waits.ts';
import { bodyBytesOf, type Fields, type HttpAnswer, writeAnswer, writeHead } from './http-answer.ts';
import type { HttpGate } from './http-gate.ts';
import { type LongAnswers, writeTogether } from './long-answers.ts';
import type { LongBodies } from './long-bodies.ts';
import type { RefusalReason } from './metrics/metrics.ts';
import type { ParseTurns } from './parse-turns.ts';
import { type BodyBounds, BodyRefusedError, hasBody, readBody } from './read-body.ts';
import { refuse, refuseBody, refuseConnection } from './refusals.ts';
import { type RouteOptions, type Routes, routesOf, targetOf } from './routes.ts';
import type { ServerLimits } from './server-limits.ts';

/** What requests pass on their way to a response. */
export interface ServingParts {
  readonly access: AccessCheck;
  readonly connections: Connections;
  readonly waits: HeadWaits;
  readonly limits: ServerLimits;
  readonly longAnswers: LongAnswers;
  readonly longBodies: LongBodies;
  readonly gate: HttpGate;
  readonly parseTurns: ParseTurns;
  readonly onRefused: (reason: RefusalReason) => void;
  /** Told of each request whose Host or Origin is not allowed. */
  readonly onForeign: (refusal: AccessRefusal) => void;
}

const NO_BODY: Uint8Array = new Uint8Array();

/** Answers all requests that an HTTP server reads, and the bytes in which it reads none. */
export function serveRequests(http: Server, options: RouteOptions, parts: ServingParts): void {
  const { connections, waits, limits, parseTurns, onRefused } = parts;
  const routes = routesOf(options, connections, waits);
  http.on('request', (request, response) => {
    const connection = connections.of(request.socket);
    if (connection === undefined) return;
    response.once('close', () => connections.finish(connection));
    connections.enqueue(connection, {
      begin: () => serve({ connection, request, response }, routes, parts),
      waitingBytes: () => waitingBytesOf(request),
      isWhole: () => request.complete,
    });
  });
  http.on('clientError', (error, socket) => {
    // What an HTTP server listens to are the sockets of this process.
    const refuseBytes = (): void =>
      refuseConnection(error, socket as Socket, { limits, onRefused, parseTurns });
    const connection = connections.of(socket as Socket);
    if (connection === undefined) refuseBytes();
    else connections.afterAnswers(connection, refuseBytes);
  });
}

/** A request whose turn has come. */
interface Exchange {
  readonly connection: Connection;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Answers a request: who asks is looked at first, then what is asked for, then the body. */
function serve({ connection, request, response }: Exchange, routes: Routes, parts: ServingParts): void {
  const { access, connections, limits, longAnswers, onRefused, onForeign } = parts;
  const refusal = access.refusalOf(request);
  const fields = originFields(request.headers);
  const reply = (answer: HttpAnswer, body: Uint8Array | LongBody = NO_BODY): void => {
    const content = typeof answer.body === 'string' ? undefined : answer.body;
    if (content?.rest !== undefined) {
      connection.account.release('requests', body.length);
      const exchange = { connection, request, response };
      void replyInPieces(exchange, connections, { ...fields, ...answer.fields }, content.rest);
      return;
    }
    const bytes = bodyBytesOf(answer);
    connections.answer(connection, bytes, content?.ownBytes ?? bytes);
    // The body has done its work.
    connection.account.release('requests', body.length);
    if (content === undefined || bytes <= LONG_ANSWER_CHARACTERS) {
      writeAnswer(response, fields, answer);
      return;
    }
    writeHead(response, fields, answer);
    longAnswers.write(content.buffers, {
      connection,
      write: (part, taken) => writeTogether(response, part, taken),
      end: () => response.end(),
    });
  };
  if (refusal !== undefined) {
    onRefused(refusal.reason);
    if (refusal.reason !== 'malformed') onForeign(refusal);
    reply(refuse(refusal.status, refusal.error));
    return;
  }
  const target = targetOf(request.url ?? '');
  if (target === undefined) {
    onRefused('malformed');
    reply(refuse(400, new InvalidRequestError('the request could not be read')));
    return;
  }
  const { path, query } = target;
  connection.takesRest = request.httpVersionMajor === 1 && request.httpVersionMinor >= 1;
  const run = (body: Uint8Array | LongBody): void => {
    const replyTo = (answer: HttpAnswer): void => reply(answer, body);
    const handler = routes.handlerOf(request.method ?? '', path);
    const answer = answerOf(() =>
      handler({
        ...{ connection, query, body },
        ...{ headers: request.headers, minBlock: minBlockOf(request) },
      }),
    );
    if (answer instanceof Promise)
      void listenMeanwhile({ connection, request, response }, answer).then(replyTo);
    else replyTo(answer);
  };
  if (!hasBody(request)) {
    run(NO_BODY);
    return;
  }
  readBody(request, bodyBounds(connection, request.socket, parts), (outcome) => {
    if (outcome instanceof BodyRefusedError) {
      reply(refuseBody(outcome, { limits, onRefused }));
    } else run(outcome);
  });
}

/** Returns the bounds of a body that comes by a connection. */
function bodyBounds(connection: Connection, socket: Socket, parts: ServingParts): BodyBounds {
  const { connections, limits, longBodies, gate } = parts;
  return {
    bytesMax: limits.bodyBytesMax,
    hold: (bytes) => connections.receive(connection, bytes),
    release: (bytes) => connection.account.release('requests', bytes),
    openLong: () => longBodies.open(gate.sourceOf(socket), connection.client),
    onRefusable: (refuse) => {
      connection.refuseForMemory = refuse;
    },
  };
}

/** Writes a response piece by piece; where it is not whole in the end, neither is what the client gets. */
async function replyInPieces(
  { connection, response }: Exchange,
  connections: Connections,
  fields: Fields,
  rest: AsyncIterable<Buffer>,
): Promise<void> {
  response.writeHead(200, fields);
  const isWhole = await givePieces(rest, { connections, connection }, (piece, taken) =>
    response.write(piece, taken),
  );
  if (isWhole) response.end();
  else response.destroy();
}

/** A response, and an internal error where making one fails. */
function answerOf(make: () => HttpAnswer | Promise<HttpAnswer>): HttpAnswer | Promise<HttpAnswer> {
  const fail = (): HttpAnswer => refuse(500, new InternalError());
  try {
    const answer = make();
    return answer instanceof Promise ? answer.catch(fail) : answer;
  } catch {
    return fail();
  }
}

/** Waits for a response, and finds out whether a client that sends no more waits for it, too. */
async function listenMeanwhile(
  { request: { socket, httpVersion }, response }: Exchange,
  answer: Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  // Who speaks HTTP/1.0 does not know interim responses.
  if (httpVersion === '1.0') return answer;
  let stop: (() => void) | undefined;
  const ask = (): void => {
    stop = askWhileHalfClosed(socket, () => response.socket === socket);
  };
  if (socket.readableEnded) ask();
  else socket.once('end', ask);
  try {
    return await answer;
  } finally {
    socket.off('end', ask);
    stop?.();
  }
}

/** The field of a request that names a block; more than one of them are none that could be read. */
function minBlockOf({ headers }: IncomingMessage): string | undefined {
  const field = headers[MIN_BLOCK_FIELD];
  return Array.isArray(field) ? field.join(', ') : field;
}

/** Bytes that a request takes while it waits, about: the server keeps its headers twice. */
function waitingBytesOf({ rawHeaders, url = '' }: IncomingMessage): number {
  let characters = url.length;
  for (const text of rawHeaders) characters += text.length;
  return WAITING_REQUEST_BYTES + 2 * characters;
}
