import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { type LongBody, ResponseBody } from '../rpc/index.ts';
import type { Connection } from './connection.ts';

/** Header fields by their names. */
export type Fields = Readonly<Record<string, string>>;

/** A whole request, as far as its response depends on it. */
export interface HttpRequest {
  readonly connection: Connection;
  readonly headers: IncomingHttpHeaders;
  /** What follows the path's `?`; empty where there is none. */
  readonly query: string;
  /** The field `Ledgerd-Min-Block`; undefined where there is none. */
  readonly minBlock: string | undefined;
  readonly body: Uint8Array | LongBody;
}

/** The response to a request. */
export interface HttpAnswer {
  readonly status: number;
  /** Fields of its own. */
  readonly fields?: Fields;
  /** Absent for a response that has none. */
  readonly body?: string | ResponseBody;
}

/** Answers the requests of one method for one path. Whatever it throws is answered as an internal error. */
export type Handler = (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>;

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Bytes of the body of a response. */
export function bodyBytesOf({ body = '' }: HttpAnswer): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length;
}

/** Writes a response that is short, with further fields before its own. */
export function writeAnswer(response: ServerResponse, fields: Fields, answer: HttpAnswer): void {
  const { body } = answer;
  writeHead(response, fields, answer).end(body instanceof ResponseBody ? body.gathered() : body);
}

/** Writes the head of a response, with further fields before its own. */
export function writeHead(response: ServerResponse, fields: Fields, answer: HttpAnswer): ServerResponse {
  const length = answer.body === undefined ? {} : { 'content-length': String(bodyBytesOf(answer)) };
  return response.writeHead(answer.status, { ...fields, ...answer.fields, ...length });
}
