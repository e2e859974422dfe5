import { describeInterface, METHODS } from '../src/rpc/index.ts';
import { problemsOfResult } from './openrpc/result-check.ts';

/** A response of the interface, as the wire carries it. */
export interface RpcResponse {
  readonly jsonrpc: string;
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: ResponseError;
}

/** The error object of a response. */
export interface ResponseError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A recognisable request of a body. */
interface Request {
  readonly id?: unknown;
  readonly method?: unknown;
}

/** Error codes that any request may have; -32603, a fault of the node, is not among them. */
const COMMON_CODES: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602, -32005]);

const openrpc = describeInterface(METHODS.values(), '');

/** Error codes that each method declares. */
const declaredCodes: ReadonlyMap<string, ReadonlySet<number | undefined>> = new Map(
  openrpc.methods.map(({ name, errors }) => [
    name,
    new Set(errors.map(({ $ref }) => openrpc.components.errors[$ref.slice($ref.lastIndexOf('/') + 1)]?.code)),
  ]),
);

/**
 * Checks answers against what the interface says of itself: every result against the schema of its method,
 * every error against the codes that its method may respond with.
 *
 * @param request body of a request, single or batch
 * @param response body of the response to it
 * @returns what does not fit, with the method it belongs to
 */
export function problemsOf(request: string, response: string): string[] {
  const requests = itemsOf(parsed(request)).map((item): Request => Object(item));
  return itemsOf(parsed(response)).flatMap((item) => {
    const response: RpcResponse = Object(item);
    const position = requests.findIndex(({ id }) => id === response.id);
    const [asked] = position < 0 ? [] : requests.splice(position, 1);
    const method = typeof asked?.method === 'string' ? asked.method : undefined;
    return problemsOfResponse(method, response).map((problem) => `${method ?? 'a request'}: ${problem}`);
  });
}

function problemsOfResponse(method: string | undefined, response: RpcResponse): readonly string[] {
  const members = Object.keys(response).sort().join();
  if (response.jsonrpc !== '2.0' || (members !== 'id,jsonrpc,result' && members !== 'error,id,jsonrpc')) {
    return [`not a response of JSON-RPC 2.0: ${JSON.stringify(response)}`];
  }
  if (response.error !== undefined) return problemsOfError(method, response.error);
  if (method === undefined || !METHODS.has(method)) return ['a result of what is no method'];
  return problemsOfResult(method, response.result);
}

function problemsOfError(method: string | undefined, { code, message }: ResponseError): string[] {
  if (!Number.isSafeInteger(code) || typeof message !== 'string') return ['an error without code or message'];
  if (COMMON_CODES.has(code) || declaredCodes.get(method ?? '')?.has(code) === true) return [];
  return [`the error ${code} ${message} is not among those that it says it may respond with`];
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function itemsOf(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body;
  return body === undefined ? [] : [body];
}
