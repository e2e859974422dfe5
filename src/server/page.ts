import type { PageFile } from '../page/index.ts';
import { ownBody } from '../rpc/index.ts';
import { accepts, preferredEncoding } from './content-negotiation.ts';
import type { Fields, Handler, HeaderFields, HttpAnswer } from './http-answer.ts';

/** Seconds for which a file is kept whose name changes with its content: a year, the most that is usual. */
const IMMUTABLE_SECONDS = 31_536_000;

/** A Host header that may stand in a policy as it is: a policy has separators that a host's name could hold, too. */
const PLAIN_HOST = /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** Whether a browser asks for a page: it names HTML, which programs that send requests do not. */
export function wantsPage({ accept }: HeaderFields): boolean {
  return accept !== undefined && accepts(accept, 'text/html');
}

/**
 * Prepares the responses to GET for a file of the explorer's page: in the encoding that the client likes best, or 304
 * where it has the file. The page may take nothing from elsewhere and be shown in no other page, and whoever asks by a
 * Host that was checked may open WebSockets to that host.
 */
export function pageServer(file: PageFile): Handler {
  const bodies = new Map([
    ['br', file.brotli],
    ['gzip', file.gzip],
    ['identity', file.body],
  ]);
  const offered = [...bodies].flatMap(([name, body]) => (body === undefined ? [] : [name]));
  return ({ headers }): HttpAnswer => {
    const encoding = preferredEncoding(headers['accept-encoding'], offered);
    const tag = `"${file.digest}-${encoding}"`;
    const fields: Fields = {
      ...pageFields(headers.host ?? ''),
      vary: 'Origin, Accept, Accept-Encoding',
      'cache-control': file.isImmutable ? `public, max-age=${IMMUTABLE_SECONDS}, immutable` : 'no-cache',
      etag: tag,
    };
    if (hasTag(headers['if-none-match'], tag)) return { status: 304, fields };
    return {
      status: 200,
      fields: {
        ...fields,
        'content-type': file.type,
        ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
      },
      body: ownBody(bodies.get(encoding) ?? file.body),
    };
  };
}

/** What holds for everything that belongs to the page. */
function pageFields(host: string): Fields {
  // Browsers did not always see that a WebSocket to the same host is of the same origin.
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

/** Whether a list of tags has one (RFC 9110, 13.1.2); weak ones count as well, since whole files are compared. */
function hasTag(list: string | undefined, tag: string): boolean {
  if (list === undefined) return false;
  return list.split(',').some((item) => {
    const text = item.trim();
    return text === '*' || text.replace(/^W\//, '') === tag;
  });
}
