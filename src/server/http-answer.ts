import type { LongBody, ResponseBody } from '../rpc/index.ts';
import type { Connection } from './connections.ts';

/** Header fields by their names. */
export type Fields = Readonly<Record<string, string>>;

/** Fields of a request by their names in lower case; the values of those that were repeated are one list. */
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

/** A whole request, as far as its response depends on it. */
export interface HttpRequest {
  readonly connection: Connection;
  readonly headers: HeaderFields;
  /** What follows the path's `?`; empty where there is none. */
  readonly query: string;
  readonly body: Uint8Array | LongBody;
}

/** The response to a request. */
export interface HttpAnswer {
  readonly status: number;
  /** Fields of its own. */
  readonly fields?: Fields;
  /** Absent for a response that has none. */
  readonly body?: string | ResponseBody;
  /** True if the connection closes after the response. */
  readonly closes?: boolean;
}

/** Answers the requests of one method for one path. Whatever it throws is answered as an internal error. */
export type Handler = (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>;

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Bytes of the body of a response. */
export function bodyBytesOf({ body = '' }: HttpAnswer): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length;
}
