import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { WAITING_REQUEST_BYTES } from '../limits.ts';
import { InternalError, InvalidRequestError, type LongBody } from '../rpc/index.ts';
import { type AccessCheck, type AccessRefusal, originFields } from './access.ts';
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';
import { MIN_BLOCK_FIELD } from './head-fields.ts';
import type { HeadWaits } from './head-waits.ts';
import { bodyBytesOf, type HttpAnswer, writeAnswer } from './http-answer.ts';
import type { LongAnswers } from './long-answers.ts';
import type { LongBodies, OpenBody } from './long-bodies.ts';
import type { RefusalReason } from './metrics/metrics.ts';
import { BodyRefusedError, hasBody, readBody } from './read-body.ts';
import { refuse, refuseBody, refuseConnection } from './refusals.ts';
import { type RouteOptions, type Routes, routesOf, targetOf } from './routes.ts';
import type { ServerLimits } from './server-limits.ts';

/** What requests pass on their way to a response. */
export interface AppParts {
  readonly access: AccessCheck;
  readonly connections: Connections;
  readonly waits: HeadWaits;
  readonly limits: ServerLimits;
  readonly longAnswers: LongAnswers;
  readonly longBodies: LongBodies;
  readonly onRefused: (reason: RefusalReason) => void;
  /** Told of each request whose Host or Origin is not allowed. */
  readonly onForeign: (refusal: AccessRefusal) => void;
}

const NO_BODY: Uint8Array = new Uint8Array();

/** Answers all requests that an HTTP server reads, and the bytes in which it reads none. */
export function serveRequests(http: Server, options: RouteOptions, parts: AppParts): void {
  const { connections, waits, limits, onRefused } = parts;
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
    const refuseBytes = (): void => refuseConnection(error, socket as Socket, { limits, onRefused });
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
function serve({ connection, request, response }: Exchange, routes: Routes, parts: AppParts): void {
  const { access, connections, limits, longAnswers, longBodies, onRefused, onForeign } = parts;
  const refusal = access.refusalOf(request);
  const fields = originFields(request.headers);
  const reply = (answer: HttpAnswer, body: Uint8Array | LongBody = NO_BODY): void => {
    const bytes = bodyBytesOf(answer);
    connections.answer(connection, bytes);
    // The body has done its work.
    connection.account.release('requests', body.length);
    longAnswers.write(bytes, () => writeAnswer(response, fields, answer));
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
  const run = (body: Uint8Array | LongBody): void => {
    const handler = routes.handlerOf(request.method ?? '', path);
    answerWith(
      () => handler({ connection, headers: request.headers, query, body, minBlock: minBlockOf(request) }),
      (answer) => reply(answer, body),
    );
  };
  if (!hasBody(request)) {
    run(NO_BODY);
    return;
  }
  const hold = (bytes: number): boolean => connections.receive(connection, bytes);
  const release = (bytes: number): void => connection.account.release('requests', bytes);
  const openLong = (): OpenBody => longBodies.open(request, connection.client);
  readBody(request, { bytesMax: limits.bodyBytesMax, hold, release, openLong }, (outcome) => {
    if (outcome instanceof BodyRefusedError) {
      reply(refuseBody(outcome, request, { limits, onRefused, openLong }));
    } else run(outcome);
  });
}

/** Gives a response on: at once where there is one, and an internal error where making one fails. */
function answerWith(make: () => HttpAnswer | Promise<HttpAnswer>, reply: (answer: HttpAnswer) => void): void {
  const fail = (): HttpAnswer => refuse(500, new InternalError());
  let answer: HttpAnswer | Promise<HttpAnswer>;
  try {
    answer = make();
  } catch {
    answer = fail();
  }
  if (answer instanceof Promise) void answer.catch(fail).then(reply);
  else reply(answer);
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
