import { isUtf8 } from 'node:buffer';
import { describeValue } from '../json/describe.ts';
import { checkJsonBounds, type JsonBounds } from '../json/json-scan.ts';
import { ownBody, ownChunk, ResponseBody } from '../json/response-body.ts';
import { LONG_RESPONSE_CHARACTERS } from '../json/text-writer.ts';
import { type GroupedError, InvalidRequestError, ParseError } from '../rpc-errors.ts';
import { idTextsOf } from './id-texts.ts';

/** The JSON text of the id of a request, repeated in its response. */
export type RequestId = string;

/** The id of a request without one. */
export const NO_ID: RequestId = 'null';

/** The text of an id that a parsed value would not give again, such as `1.0`: it takes the place of the id. */
class IdText {
  readonly text: RequestId;

  constructor(text: RequestId) {
    this.text = text;
  }
}

/** Returns the text of a parsed id; undefined for anything but a string, a number or null. */
function textOfId(id: unknown): RequestId | undefined {
  if (typeof id === 'number') return `${id}`;
  if (typeof id === 'string' || id === null) return JSON.stringify(id);
  return id instanceof IdText ? id.text : undefined;
}

export interface Call {
  readonly kind: 'call';
  readonly method: string;
  /** Positional parameters, parameters by name, or none. */
  readonly parameters: unknown;
  /** Undefined for a notification, which has no response. */
  readonly id: RequestId | undefined;
  /** The arguments of its method, if they were read while the call was queued. */
  given?: readonly unknown[];
}

/** A malformed request, and the error of its response. */
export interface Malformed {
  readonly kind: 'malformed';
  readonly id: RequestId;
  readonly error: InvalidRequestError;
}

/** Reads a JSON-RPC 2.0 request from a parsed body, and ignores unknown members. */
export function readRequest(value: unknown): Call | Malformed {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return malformed(NO_ID, `expected an object, got ${describeValue(value)}`);
  }
  const { jsonrpc, method, params, id } = value as Record<string, unknown>;
  const idText = textOfId(id);
  if (id !== undefined && idText === undefined) {
    return malformed(NO_ID, `id must be a string, a number or null, got ${describeValue(id)}`);
  }
  const echoed = idText ?? NO_ID;
  if (jsonrpc !== '2.0') return malformed(echoed, 'jsonrpc must be the string "2.0"');
  if (typeof method !== 'string')
    return malformed(echoed, `method must be a string, got ${describeValue(method)}`);
  if (params !== undefined && typeof params !== 'object') {
    return malformed(echoed, `params must be an array, got ${describeValue(params)}`);
  }
  return { kind: 'call', method, parameters: params ?? undefined, id: idText };
}

function malformed(id: RequestId, detail: string): Malformed {
  return { kind: 'malformed', id, error: new InvalidRequestError(`invalid request: ${detail}`) };
}

const CLOSING_BRACE = ownChunk(Buffer.from('}'));

/** An error object of JSON-RPC 2.0. */
export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: string | GroupedError;
}

/** Writes the response to a successful call; a long one as UTF-8 bytes outside of the heap, since it may be queued. */
export function resultResponse(id: RequestId, result: unknown): string | ResponseBody {
  const head = resultHead(id);
  const content = result instanceof ResponseBody ? result.content : JSON.stringify(result);
  if (typeof content !== 'string') {
    return new ResponseBody([ownChunk(Buffer.from(head)), ...content, CLOSING_BRACE]);
  }
  if (content.length <= LONG_RESPONSE_CHARACTERS) return `${head}${content}}`;
  const headBytes = Buffer.byteLength(head);
  const resultBytes = Buffer.byteLength(content);
  const response = Buffer.allocUnsafe(headBytes + resultBytes + 1);
  // In pieces: joining them as text would copy them in the heap first.
  response.write(head);
  response.write(content, headBytes);
  response.write('}', headBytes + resultBytes);
  return ownBody(response);
}

/** Returns the text of a response before its result. A closing brace follows the result. */
export function resultHead(id: RequestId): string {
  return `{"jsonrpc":"2.0","id":${id},"result":`;
}

export function errorResponse(id: RequestId, error: ErrorObject): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`;
}

/** Minimum characters of a JSON value with its comma. */
const VALUE_CHARACTERS = 2;

/**
 * Parses the body of a request.
 *
 * @throws LimitError for too deep nesting, or too many values
 * @throws ParseError for a body that is not JSON in UTF-8
 */
export function parseJson(body: Uint8Array | string, bounds: JsonBounds): unknown {
  const text = typeof body === 'string' ? body : decode(body);
  if (text.length > bounds.jsonValuesMax * VALUE_CHARACTERS || hasMoreBrackets(text, bounds.jsonDepthMax))
    checkJsonBounds(typeof body === 'string' ? Buffer.from(body) : body, bounds);
  return parseText(text);
}

/** Parses the body of a request or a batch, as `parseJson`, and keeps the texts of the ids. */
export function parseRequests(body: Uint8Array | string, bounds: JsonBounds): unknown {
  const text = typeof body === 'string' ? body : decode(body);
  const value = parseJson(text, bounds);
  keepIdTexts(text, value);
  return value;
}

/** A member `id` of any object whose value may be written differently than it was read. */
const UNUSUAL_ID = /"id"\s*:(?!\s*(?:0|-?[1-9]\d{0,14}|"[^"\\]*"|null)\s*[,}])/;

/** Keeps the texts of unusual ids in the parsed value of a text: in a request, or in the requests of a batch. */
function keepIdTexts(text: string, value: unknown): void {
  if (!UNUSUAL_ID.test(text)) return;
  const requests: readonly unknown[] = Array.isArray(value) ? value : [value];
  for (const [index, idText] of idTextsOf(text).entries()) {
    const request = requests[index];
    if (idText === undefined || typeof request !== 'object' || request === null) continue;
    if ('id' in request && textOfId(request.id) !== undefined) request.id = new IdText(idText);
  }
}

/** Parses the text of a request or a batch within the bounds, and keeps the texts of the ids. @throws ParseError */
export function parseRequestText(text: string): unknown {
  const value = parseText(text);
  keepIdTexts(text, value);
  return value;
}

/** Parses JSON within the bounds. @throws ParseError */
function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ParseError(`parse error: the body is ${text.trim() === '' ? 'empty' : 'not JSON'}`, { cause });
  }
}

/** Decodes UTF-8. @throws ParseError */
export function decode(body: Uint8Array): string {
  if (!isUtf8(body)) throw new ParseError('parse error: the body is not UTF-8');
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.length);
  return bytes.toString();
}

/** Returns true for more than `max` opening brackets: a text with fewer cannot be nested deeper. */
function hasMoreBrackets(text: string, max: number): boolean {
  let opened = 0;
  for (const bracket of ['[', '{']) {
    let position = text.indexOf(bracket);
    while (position >= 0 && opened <= max) {
      opened += 1;
      position = text.indexOf(bracket, position + 1);
    }
  }
  return opened > max;
}
