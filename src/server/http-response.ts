import {
  errorObjectOf,
  errorResponse,
  InvalidRequestError,
  LimitError,
  type LongBody,
  NO_ID,
  type ResponseBody,
  type RpcError,
} from '../rpc/index.ts';
import { HeldLimitError } from '../scheduling/index.ts';
import type { Connection } from './connections.ts';
import type { RefusalReason } from './metrics/metrics.ts';
import type { ServerLimits } from './server-limits.ts';

/** Chunks of a body after which they must have so many bytes on average: each costs as much as thousands of bytes. */
export const SMALL_CHUNKS_MAX = 4_096;
export const CHUNK_BYTES_MIN = 32;

export type ResponseHeaders = Readonly<Record<string, string>>;

/** Request headers by name in lower case; the values of repeated ones are one list. */
export type RequestHeaders = Readonly<Record<string, string>>;

/** The request line and header section of a request (RFC 9112, 2.1). */
export interface RequestHead {
  readonly method: string;
  /** The target as it was sent. */
  readonly target: string;
  readonly headers: RequestHeaders;
  /** True for HTTP/1.1; false for HTTP/1.0. */
  readonly isLatest: boolean;
  /** Bytes of the body; 0 also if it is chunked. */
  readonly contentLength: number;
  readonly isChunked: boolean;
  /** True if the connection stays open after the response (RFC 9112, 9.3). */
  readonly keepsAlive: boolean;
  /** The header `Expect`, in lower case. */
  readonly expectation: string | undefined;
  /** The protocol of a requested upgrade, in lower case (RFC 9110, 7.8). */
  readonly upgrade: string | undefined;
}

/** The parts of a whole request that a handler uses. */
export interface HttpRequest {
  readonly connection: Connection;
  readonly headers: RequestHeaders;
  /** The query component of the target; empty without one. */
  readonly query: string;
  readonly body: Uint8Array | LongBody;
}

export interface HttpResponse {
  readonly status: number;
  /** Headers in addition to those of every response. */
  readonly headers?: ResponseHeaders;
  readonly body?: string | ResponseBody;
  /** True if the connection closes after the response. */
  readonly closes?: boolean;
}

/** Parses a header of preferences (RFC 9110, 12.4.2) into the weight of each choice, from 0 (never) to 1. */
export function weightsOf(header: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const item of header.split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = quality === undefined ? 1 : Number(quality.slice(2));
    // A malformed weight counts as 0.
    if (name !== '') found.set(name, Number.isFinite(weight) ? Math.min(1, Math.max(0, weight)) : 0);
  }
  return found;
}

/** Handles the requests of one method for one path. An exception becomes an internal error. */
export interface Handler {
  (request: HttpRequest): HttpResponse | Promise<HttpResponse>;
  /** Bytes of a body, if they are more than those of other requests. */
  readonly bodyBytesMax?: number;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Refuses a request with an HTTP status; the body is a JSON-RPC error without an id. */
export function refuse(status: number, error: RpcError, headers: ResponseHeaders = {}): HttpResponse {
  return {
    status,
    headers: { ...headers, 'content-type': JSON_TYPE },
    body: errorResponse(NO_ID, errorObjectOf(error)),
  };
}

/** Refuses a request and closes its connection, which discards the rest of the request. */
export function refuseAndClose(status: number, error: RpcError): HttpResponse {
  return { ...refuse(status, error), closes: true };
}

/** A violation of the syntax of requests, or of the bounds of its parts. */
export type ParseProblem = 'malformed' | 'overflow';

/** The reason for which a body is not read to its end. */
export type BodyRefusal = 'BODY_TOO_LARGE' | 'TOO_MANY_PIECES' | 'NO_ROOM';

/** The bounds for the messages of refusals, and the counter of refusals. */
export interface RefusalContext {
  readonly limits: ServerLimits;
  readonly onRefused: (reason: RefusalReason) => void;
}

/** Refuses a request that is not read to its end, so that no handler gets it. */
export function refuseUnread(
  problem: ParseProblem | BodyRefusal | 'late',
  { limits, onRefused }: RefusalContext,
): HttpResponse {
  const [status, reason, error] = unreadRefusal(problem, limits);
  onRefused(reason);
  return refuseAndClose(status, error);
}

function unreadRefusal(
  problem: ParseProblem | BodyRefusal | 'late',
  { bodyBytesMax, headerBytesMax, heldBytesMax }: ServerLimits,
): [status: number, RefusalReason, RpcError] {
  switch (problem) {
    case 'malformed':
      return [400, 'malformed', new InvalidRequestError('this is not an HTTP request')];
    case 'overflow':
      return [431, 'headerSize', new LimitError(`the headers exceed the limit of ${headerBytesMax} bytes`)];
    case 'late':
      return [408, 'timeout', new LimitError('the request took too long to arrive')];
    case 'BODY_TOO_LARGE':
      return [413, 'bodySize', new LimitError(`the body exceeds the limit of ${bodyBytesMax} bytes`)];
    case 'TOO_MANY_PIECES':
      return [
        400,
        'bodySize',
        new LimitError(
          `the body exceeds the limit of ${SMALL_CHUNKS_MAX} pieces of less than ${CHUNK_BYTES_MIN} bytes on ` +
            'average: send it in larger ones',
        ),
      ];
    case 'NO_ROOM':
      return [503, 'memory', new HeldLimitError(heldBytesMax)];
  }
}
