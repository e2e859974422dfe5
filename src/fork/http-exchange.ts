import { innermostMessage } from '../protocol/index.ts';
import type { Time } from '../time/time.ts';
import type { Endpoint } from './endpoint.ts';
import type { UpstreamFailure } from './fork-errors.ts';

/**
 * JSON values of a response of a remote node, which bounds the memory of the parsed response, and the time of parsing
 * it.
 */
const FORK_RESPONSE_VALUES_MAX = 1_000_000;

/** A complete HTTP response, or the reason why there is none. */
export type Exchange =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly retryAfter: string | null;
      readonly text: string;
    }
  | { readonly kind: 'failure'; readonly failure: UpstreamFailure; readonly description: string };

const COMMA = 0x2c;
const ARRAY = 0x5b;
const OBJECT = 0x7b;

/** Codings of a body that are accepted. Its bytes are counted after they are decoded. */
const CODINGS = new Set(['identity', 'gzip']);

/** Bounds of an exchange. */
interface ExchangeBounds {
  readonly time: Time;
  readonly timeoutMs: number;
  /** Bytes of the response. */
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

/** Posts a body to a remote node and reads the whole response, within bounds. Redirects are not followed. */
export async function post(endpoint: Endpoint, body: string, bounds: ExchangeBounds): Promise<Exchange> {
  const { time, timeoutMs, bytesMax, signal } = bounds;
  const stop = new AbortController();
  const end = (): void => stop.abort();
  let isLate = false;
  const cancelTimer = time.after(timeoutMs, () => {
    isLate = true;
    stop.abort();
  });
  signal.addEventListener('abort', end);
  try {
    if (signal.aborted) return failed('closed', 'was not asked, since the connection was closed');
    return await exchange(endpoint, body, bytesMax, stop.signal);
  } catch (error) {
    if (signal.aborted) return failed('closed', 'did not respond before the connection was closed');
    if (isLate) return failed('timeout', `sent no complete response within ${timeoutMs / 1_000} s`);
    return failed('unreachable', `cannot be reached, or ended the connection: ${innermostMessage(error)}`);
  } finally {
    cancelTimer();
    signal.removeEventListener('abort', end);
    // Ends what is left of a response that is not read to its end.
    stop.abort();
  }
}

async function exchange(
  endpoint: Endpoint,
  body: string,
  bytesMax: number,
  signal: AbortSignal,
): Promise<Exchange> {
  const headers = new Headers(endpoint.headers);
  headers.set('content-type', 'application/json');
  headers.set('accept-encoding', 'gzip');
  const response = await fetch(endpoint.url, { method: 'POST', redirect: 'manual', headers, body, signal });
  const { status } = response;
  const coding = response.headers.get('content-encoding') ?? 'identity';
  if (!CODINGS.has(coding.trim().toLowerCase())) {
    return failed('malformed', 'compressed its response in another way than gzip');
  }
  const text = await readBody(response, bytesMax);
  if (text === undefined) {
    const bounds = `${bytesMax} bytes, or ${FORK_RESPONSE_VALUES_MAX} values`;
    return failed('too long', `sent a response of more than ${bounds}`);
  }
  return { kind: 'response', status, retryAfter: response.headers.get('retry-after'), text };
}

/** Reads a body; undefined for one that is too long. */
async function readBody({ body }: Response, bytesMax: number): Promise<string | undefined> {
  if (body === null) return '';
  const parts: Uint8Array[] = [];
  let length = 0;
  let values = 0;
  for await (const part of body as AsyncIterable<Uint8Array>) {
    length += part.length;
    values += valuesIn(part);
    if (length > bytesMax || values > FORK_RESPONSE_VALUES_MAX) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts, length).toString('utf8');
}

/** Counts the bytes that begin a JSON value, at least: parsed values may take much more memory than their text. */
function valuesIn(part: Uint8Array): number {
  let count = 0;
  for (let index = 0; index < part.length; index += 1) {
    const byte = part[index];
    if (byte === COMMA || byte === ARRAY || byte === OBJECT) count += 1;
  }
  return count;
}

function failed(failure: UpstreamFailure, description: string): Exchange {
  return { kind: 'failure', failure, description };
}
