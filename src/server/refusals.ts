import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { DISCARDED_BYTES_MAX } from '../limits.ts';
import {
  errorObjectOf,
  errorResponse,
  InternalError,
  InvalidRequestError,
  LimitError,
  type RpcError,
} from '../rpc/index.ts';
import { ALLOWED_METHODS, DESCRIPTION_PATH } from './access.ts';

/** Refuses a request with an HTTP status; the body is a JSON-RPC error that belongs to no request. */
export function refuse(reply: FastifyReply, status: number, error: RpcError): FastifyReply {
  return reply.code(status).type('application/json').send(refusalBody(error));
}

function refusalBody(error: RpcError): string {
  return errorResponse(null, errorObjectOf(error));
}

/** Answers a path that is not served, and a method that is not served at its path. */
export function refuseRoute(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [path] = request.url.split('?', 1);
  if (path === DESCRIPTION_PATH) {
    reply.header('allow', 'GET, HEAD');
    return refuse(reply, 405, new InvalidRequestError(`${request.method} is not served here: ask by GET`));
  }
  if (path !== '/') return refuse(reply, 404, new InvalidRequestError('not found: send requests to /'));
  reply.header('allow', ALLOWED_METHODS);
  return refuse(
    reply,
    405,
    new InvalidRequestError(`${request.method} is not served here: send requests by POST`),
  );
}

/** Answers what went wrong before a request reached the dispatcher. */
export function refuseBroken(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  bodyBytesMax: number,
): FastifyReply {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return refuseBody(request.raw, reply, bodyBytesMax);
  const status = error.statusCode ?? 500;
  if (status >= 500) return refuse(reply, status, new InternalError());
  return refuse(reply, status, new InvalidRequestError('the request could not be read'));
}

/**
 * Answers a body that is too large. Its sender may still be sending, and would not see the answer if the
 * connection closed under it: so some of the rest is read and thrown away, unless it is announced as endless.
 */
function refuseBody(request: IncomingMessage, reply: FastifyReply, bodyBytesMax: number): FastifyReply {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced <= DISCARDED_BYTES_MAX) {
    reply.removeHeader('connection');
    discardRest(request);
  }
  return refuse(reply, 413, bodyLimitError(bodyBytesMax));
}

function discardRest(request: IncomingMessage): void {
  let discarded = 0;
  request.on('data', (chunk: Uint8Array) => {
    discarded += chunk.length;
    if (discarded > DISCARDED_BYTES_MAX) request.socket.destroy();
  });
  request.resume();
}

function bodyLimitError(bodyBytesMax: number): LimitError {
  return new LimitError(`the body exceeds the limit of ${bodyBytesMax} bytes`);
}

/** What the HTTP parser reports of bytes that are no request. */
interface ParserError extends Error {
  readonly code?: string;
  readonly reason?: string;
}

/** Answers bytes that are no HTTP request, which no route ever sees, and closes the connection. */
export function refuseConnection(error: ParserError, socket: Socket, bodyBytesMax: number): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, cause] = classify(error, bodyBytesMax);
  const body = refusalBody(cause);
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

function classify({ code, reason }: ParserError, bodyBytesMax: number): [status: string, cause: RpcError] {
  if (code === 'HPE_INVALID_CONTENT_LENGTH' && reason?.includes('overflow')) {
    return ['413 Payload Too Large', bodyLimitError(bodyBytesMax)];
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return ['431 Request Header Fields Too Large', new LimitError('the headers are too large')];
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return ['408 Request Timeout', new LimitError('the request took too long to arrive')];
  }
  return ['400 Bad Request', new InvalidRequestError('this is not an HTTP request')];
}
