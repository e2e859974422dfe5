import { LONG_ANSWER_CHARACTERS } from '../../limits.ts';
import { InvalidRequestError } from '../errors.ts';
import { describeValue } from '../json/describe.ts';
import { ownBody, ownChunk, ResponseBody } from '../json/response-body.ts';

/** What names a request so that its response can be told apart; it is echoed as it came. */
export type RequestId = string | number | null;

/** One call of a method. */
export interface Call {
  readonly kind: 'call';
  readonly method: string;
  /** Positional parameters, parameters by name, or none. */
  readonly parameters: unknown;
  /** Absent for a notification: a call that is never answered. */
  readonly id: RequestId | undefined;
}

/** Something that stands where a request should, and the error that answers it. */
export interface Malformed {
  readonly kind: 'malformed';
  readonly id: RequestId;
  readonly error: InvalidRequestError;
}

/** Reads one request of JSON-RPC 2.0 out of a parsed body. Members that the protocol does not know are ignored. */
export function readRequest(value: unknown): Call | Malformed {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return malformed(null, `expected an object, got ${describeValue(value)}`);
  }
  const { jsonrpc, method, params, id } = value as Record<string, unknown>;
  if (id !== undefined && !isRequestId(id)) {
    return malformed(null, 'id must be a string, a safe integer or null');
  }
  const echoed = id ?? null;
  if (jsonrpc !== '2.0') return malformed(echoed, 'jsonrpc must be the string "2.0"');
  if (typeof method !== 'string')
    return malformed(echoed, `method must be a string, got ${describeValue(method)}`);
  if (params !== undefined && typeof params !== 'object') {
    return malformed(echoed, `params must be an array, got ${describeValue(params)}`);
  }
  return { kind: 'call', method, parameters: params ?? undefined, id };
}

function isRequestId(id: unknown): id is RequestId {
  return id === null || typeof id === 'string' || Number.isSafeInteger(id);
}

function malformed(id: RequestId, detail: string): Malformed {
  return { kind: 'malformed', id, error: new InvalidRequestError(`invalid request: ${detail}`) };
}

const CLOSING_BRACE = ownChunk(Buffer.from('}'));

/** An error object of JSON-RPC 2.0. */
export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: string;
}

/**
 * Writes the response of a call that succeeded; a long one as UTF-8 bytes outside of the heap, as it may have to wait.
 *
 * @param result a JSON value
 */
export function resultResponse(id: RequestId, result: string | ResponseBody): string | ResponseBody {
  const head = resultHead(id);
  const content = typeof result === 'string' ? result : result.content;
  if (typeof content !== 'string') {
    return new ResponseBody([ownChunk(Buffer.from(head)), ...content, CLOSING_BRACE]);
  }
  if (content.length <= LONG_ANSWER_CHARACTERS) return `${head}${content}}`;
  const [headBytes, resultBytes] = [Buffer.byteLength(head), Buffer.byteLength(content)];
  const response = Buffer.allocUnsafe(headBytes + resultBytes + 1);
  // Piece by piece: put together as text they would be copied in the heap first.
  response.write(head);
  response.write(content, headBytes);
  response.write('}', headBytes + resultBytes);
  return ownBody(response);
}

/** What stands before a result in its response; one brace follows it. */
export function resultHead(id: RequestId): string {
  return `{"jsonrpc":"2.0","id":${textOfId(id)},"result":`;
}

/** Writes the response of a call that failed. */
export function errorResponse(id: RequestId, error: ErrorObject): string {
  return `{"jsonrpc":"2.0","id":${textOfId(id)},"error":${JSON.stringify(error)}}`;
}

/** A number, which is a safe integer here, reads the same in JSON. */
function textOfId(id: RequestId): string {
  return typeof id === 'number' ? `${id}` : JSON.stringify(id);
}

/**
 * How a call ends: with a result; a contract that reverted; something that the ledger, the wallet or the method
 * refused; a request or parameters that are wrong; a method that there is not; a bound of the node; a failure of the
 * node itself.
 */
export const OUTCOMES = ['result', 'reverted', 'refused', 'invalid', 'unknown', 'limited', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Name in counts of what calls no method of the interface. */
export const OTHER_METHOD = 'other';
