import { CHUNK_BYTES_MIN, SMALL_CHUNKS_MAX } from '../limits.ts';
import {
  errorObjectOf,
  errorResponse,
  InvalidRequestError,
  LimitError,
  type LongBody,
  type ResponseBody,
  type RpcError,
} from '../rpc/index.ts';
import { HeldLimitError } from '../scheduling/index.ts';
import type { Connection } from './connections.ts';
import type { RefusalReason } from './metrics/metrics.ts';
import type { ServerLimits } from './server-limits.ts';

/** Header fields by their names. */
export type Fields = Readonly<Record<string, string>>;

/** Fields of a request by their names in lower case; the values of repeated ones are one list. */
export type HeaderFields = Readonly<Record<string, string>>;

/** The request line and header section of a request (RFC 9112, 2.1). */
export interface RequestHead {
  readonly method: string;
  /** The target as it was sent. */
  readonly target: string;
  readonly headers: HeaderFields;
  /** True for HTTP/1.1; false for HTTP/1.0. */
  readonly isLatest: boolean;
  /** Bytes of the body; 0 also if it is chunked. */
  readonly contentLength: number;
  readonly isChunked: boolean;
  /** True if the connection stays open after the response (RFC 9112, 9.3). */
  readonly keepsAlive: boolean;
  /** The field `Expect`, in lower case. */
  readonly expectation: string | undefined;
  /** The protocol to which the client would like to upgrade, in lower case (RFC 9110, 7.8). */
  readonly upgrade: string | undefined;
}

/** The parts of a whole request on which its response depends. */
export interface HttpRequest {
  readonly connection: Connection;
  readonly headers: HeaderFields;
  /** The query behind the path's `?`; empty without one. */
  readonly query: string;
  readonly body: Uint8Array | LongBody;
}

/** The response to a request. */
export interface HttpResponse {
  readonly status: number;
  /** Fields beside those of every response. */
  readonly fields?: Fields;
  readonly body?: string | ResponseBody;
  /** True if the connection closes after the response. */
  readonly closes?: boolean;
}

/** Responds to the requests of one method for one path. An exception becomes an internal error. */
export type Handler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Refuses a request with an HTTP status; the body is a JSON-RPC error without an id. */
export function refuse(status: number, error: RpcError, fields: Fields = {}): HttpResponse {
  return {
    status,
    fields: { ...fields, 'content-type': JSON_TYPE },
    body: errorResponse(null, errorObjectOf(error)),
  };
}

/** Refuses the last request of its connection. The rest of it is discarded when the connection ends. */
export function refuseAndClose(status: number, error: RpcError): HttpResponse {
  return { ...refuse(status, error), closes: true };
}

/** Reasons for which bytes are no request: they break the syntax, or the bounds of its parts. */
export type ParseProblem = 'malformed' | 'overflow';

/** Reasons for which a body is not read to its end. */
export type BodyRefusal = 'BODY_TOO_LARGE' | 'TOO_MANY_PIECES' | 'NO_ROOM';

/** The bounds that a refusal names, and its counter. */
export interface RefusalContext {
  readonly limits: ServerLimits;
  readonly onRefused: (reason: RefusalReason) => void;
}

/** Refuses a request that is not read to its end, which no route ever gets. */
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
          `the body comes in more than the limit of ${SMALL_CHUNKS_MAX} pieces of less than ${CHUNK_BYTES_MIN} bytes ` +
            'on average: send it in larger ones',
        ),
      ];
    case 'NO_ROOM':
      return [503, 'memory', new HeldLimitError(heldBytesMax)];
  }
}
