import type { PageFile } from '../page/index.ts';
import { sharedBody } from '../rpc/index.ts';
import {
  type Handler,
  type HttpResponse,
  type RequestHeaders,
  type ResponseHeaders,
  weightsOf,
} from './http-response.ts';

/** Seconds for which a browser caches a file with a content hash in its name: a year, the usual maximum. */
const IMMUTABLE_SECONDS = 31_536_000;

/** A Host header that is safe to insert into a Content-Security-Policy. */
const PLAIN_HOST = /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** Returns true for a browser: its Accept header names HTML itself, not merely as one of many (RFC 9110, 12.5.1). */
export function wantsPage({ accept }: RequestHeaders): boolean {
  return accept !== undefined && (weightsOf(accept).get('text/html') ?? 0) > 0;
}

/**
 * Responds with a file of the explorer's page in the client's preferred encoding, or with 304 if the client has cached
 * it. The page may load nothing from other origins, may not be framed, and may open WebSockets to the checked host of
 * the request.
 */
export function pageHandler(read: () => PageFile): Handler {
  return ({ headers: request }): HttpResponse => {
    const file = read();
    const bodies = new Map([
      ['br', file.brotli],
      ['gzip', file.gzip],
      ['identity', file.body],
    ]);
    const offered = [...bodies].flatMap(([name, body]) => (body === undefined ? [] : [name]));
    const encoding = preferredEncoding(request['accept-encoding'], offered);
    const tag = `"${file.digest}-${encoding}"`;
    const headers: ResponseHeaders = {
      ...pageHeaders(request.host ?? ''),
      vary: 'Origin, Accept, Accept-Encoding',
      'cache-control': file.isImmutable ? `public, max-age=${IMMUTABLE_SECONDS}, immutable` : 'no-cache',
      etag: tag,
    };
    if (hasTag(request['if-none-match'], tag)) return { status: 304, headers };
    return {
      status: 200,
      headers: {
        ...headers,
        'content-type': file.type,
        ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
      },
      body: sharedBody(bodies.get(encoding) ?? file.body),
    };
  };
}

function pageHeaders(host: string): ResponseHeaders {
  // Some browsers do not treat a WebSocket to the same host as same-origin.
  const socket = PLAIN_HOST.test(host) ? ` ws://${host}` : '';
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      `connect-src 'self'${socket}`,
      "worker-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  };
}

/** Returns true if a list contains an entity tag (RFC 9110, 13.1.2); weak ones match, since files are compared. */
function hasTag(list: string | undefined, tag: string): boolean {
  if (list === undefined) return false;
  return list.split(',').some((item) => {
    const text = item.trim();
    return text === '*' || text.replace(/^W\//, '') === tag;
  });
}

/**
 * Chooses an encoding (RFC 9110, 12.5.3): of the client's preferred ones the first that is offered; `identity` where it
 * names none, or accepts none of them.
 */
function preferredEncoding(header: string | undefined, offered: readonly string[]): string {
  if (header === undefined) return 'identity';
  const given = weightsOf(header);
  const weightOf = (name: string): number =>
    // A client that does not name `identity` accepts it as the last choice.
    given.get(name) ?? given.get('*') ?? (name === 'identity' ? Number.MIN_VALUE : 0);
  let best = 'identity';
  for (const name of offered.toReversed()) {
    const weight = weightOf(name);
    if (weight > 0 && weight >= weightOf(best)) best = name;
  }
  return best;
}
