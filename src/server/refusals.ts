import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { PIECE_BYTES_MIN, SMALL_PIECES_MAX } from '../limits.ts';
import {
  errorObjectOf,
  errorResponse,
  InternalError,
  InvalidRequestError,
  LimitError,
  type RpcError,
} from '../rpc/index.ts';
import { HeldLimitError } from '../scheduling/index.ts';
import { type Fields, type HttpAnswer, JSON_TYPE } from './http-answer.ts';
import { endLingering } from './lingering.ts';
import type { RefusalReason } from './metrics/metrics.ts';
import type { ParseTurns } from './parse-turns.ts';
import type { BodyRefusedError } from './read-body.ts';
import type { ServerLimits } from './server-limits.ts';

/** The connection closes after such a response. */
const CLOSING: Fields = { connection: 'close' };

/** The bounds that a refusal names, and who counts it. */
export interface RefusalContext {
  readonly limits: ServerLimits;
  readonly onRefused: (reason: RefusalReason) => void;
}

/** Refuses a request with an HTTP status; the body is a JSON-RPC error that belongs to no request. */
export function refuse(status: number, error: RpcError, fields: Fields = {}): HttpAnswer {
  return { status, fields: { ...fields, 'content-type': JSON_TYPE }, body: refusalBody(error) };
}

function refusalBody(error: RpcError): string {
  return errorResponse(null, errorObjectOf(error));
}

/** Answers a request whose body was not read to its end. What is left of it is read when the connection ends. */
export function refuseBody({ code }: BodyRefusedError, { limits, onRefused }: RefusalContext): HttpAnswer {
  switch (code) {
    case 'BODY_TOO_LARGE':
      onRefused('bodySize');
      return refuse(413, bodyLimitError(limits.bodyBytesMax), CLOSING);
    case 'TOO_MANY_PIECES':
      onRefused('bodySize');
      return refuse(400, piecesLimitError(), CLOSING);
    case 'NO_ROOM':
      onRefused('memory');
      return refuse(503, new HeldLimitError(limits.heldBytesMax), CLOSING);
    case 'BODY_ABORTED':
      return refuse(400, new InvalidRequestError('the request could not be read'), CLOSING);
  }
}

function bodyLimitError(bodyBytesMax: number): LimitError {
  return new LimitError(`the body exceeds the limit of ${bodyBytesMax} bytes`);
}

function piecesLimitError(): LimitError {
  return new LimitError(
    `the body comes in more than the limit of ${SMALL_PIECES_MAX} pieces of less than ${PIECE_BYTES_MIN} bytes ` +
      'on average: send it in larger ones',
  );
}

/** What the HTTP parser reports of bytes that are no request. */
interface ParserError extends Error {
  readonly code?: string;
  readonly reason?: string;
}

/** Answers bytes that are no HTTP request, which no route ever sees, and closes the connection. */
export function refuseConnection(
  error: ParserError,
  socket: Socket,
  context: RefusalContext & { readonly parseTurns: ParseTurns },
): void {
  // What comes after the last answer takes nothing of that away.
  if (socket.writableEnded) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { reason, status, cause } = classify(error, context.limits);
  context.onRefused(reason);
  closeWith(socket, status, cause, context.parseTurns);
}

/** Answers a request over which the node itself has failed, and closes the connection. */
export function refuseFailed(socket: Socket, turns: ParseTurns): void {
  closeWith(socket, 500, new InternalError(), turns);
}

/** Answers with an error as the last thing on a connection; what still comes is read by turns. */
export function closeWith(socket: Socket, status: number, error: RpcError, turns: ParseTurns): void {
  const body = refusalBody(error);
  socket.write(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  endLingering(socket, turns);
}

/** A refusal of bytes that are no request. */
interface BrokenRequest {
  readonly reason: RefusalReason;
  readonly status: number;
  readonly cause: RpcError;
}

function classify(error: ParserError, { bodyBytesMax, headerBytesMax }: ServerLimits): BrokenRequest {
  if (error.code === 'HPE_INVALID_CONTENT_LENGTH' && error.reason?.includes('overflow')) {
    return { reason: 'bodySize', status: 413, cause: bodyLimitError(bodyBytesMax) };
  }
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    const cause = new LimitError(`the headers exceed the limit of ${headerBytesMax} bytes`);
    return { reason: 'headerSize', status: 431, cause };
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const cause = new LimitError('the request took too long to arrive');
    return { reason: 'timeout', status: 408, cause };
  }
  const cause = new InvalidRequestError('this is not an HTTP request');
  return { reason: 'malformed', status: 400, cause };
}
