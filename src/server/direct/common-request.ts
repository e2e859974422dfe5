import { BoundedMap } from '../../bounded-map.ts';
import { DIRECT_BODY_BYTES_MAX, DIRECT_HEAD_BYTES_MAX, DIRECT_HEADS_MAX } from '../../limits.ts';
import { isOwnSite } from '../access.ts';

/** Where a request lies in the bytes that have come. */
export interface CommonRequest {
  readonly kind: 'whole';
  /** Position of the first byte of the body. */
  readonly bodyStart: number;
  /** Position after its last byte. */
  readonly end: number;
}

/** What bytes are that a client has sent. */
export type Reading =
  | CommonRequest
  /** The beginning of a request in the common form. */
  | { readonly kind: 'unfinished' }
  /** Anything else, right or wrong. */
  | { readonly kind: 'other' };

/** A request head in the common form: everything that the response depends on. */
interface Head {
  readonly host: string;
  readonly contentLength: number;
}

const UNFINISHED: Reading = { kind: 'unfinished' };
const OTHER: Reading = { kind: 'other' };
const REQUEST_LINE = 'POST / HTTP/1.1\r\n';
const END_OF_HEAD = '\r\n\r\n';
/** RFC 9110, 5.5, without the bytes beyond ASCII and without a tab. */
const FIELD_LINE = /^([A-Za-z-]+):[ ]?([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/;
const CONTENT_LENGTH = /^\d{1,9}$/;
/** Fields that change nothing: neither where the request ends, nor who may send it, nor how it is answered. */
const HARMLESS_FIELDS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-type',
  'pragma',
  'priority',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'user-agent',
]);

/** Bounds of reading requests. */
export interface CommonRequestRules {
  readonly headerBytesMax: number;
  readonly bodyBytesMax: number;
  /** Whether the Host header may name a host. */
  mayName(host: string): boolean;
}

/**
 * Recognises requests in the form that clients send them: POST to `/` with the ordinary header fields and a body of
 * known length. It accepts less than HTTP allows, and never what HTTP does not allow, so that whatever it does not
 * recognise can go to the full parser as it came.
 *
 * A client's heads are mostly alike, so that those that were read are remembered.
 */
export class CommonRequests {
  readonly #rules: CommonRequestRules;
  /** Lengths of the bodies that known heads announce. */
  readonly #heads = new BoundedMap<string, number>(DIRECT_HEADS_MAX);

  constructor(rules: CommonRequestRules) {
    this.#rules = rules;
  }

  /** Looks for one request at the beginning of what has come. */
  read(bytes: Buffer): Reading {
    const headEnd = bytes.indexOf(END_OF_HEAD, 0, 'latin1');
    if (headEnd < 0) return isBeginning(bytes) ? UNFINISHED : OTHER;
    if (headEnd > DIRECT_HEAD_BYTES_MAX) return OTHER;
    const text = bytes.toString('latin1', 0, headEnd);
    const contentLength = this.#heads.get(text) ?? this.#readHead(text);
    if (contentLength === undefined) return OTHER;
    const bodyStart = headEnd + END_OF_HEAD.length;
    const end = bodyStart + contentLength;
    return bytes.length < end ? UNFINISHED : { kind: 'whole', bodyStart, end };
  }

  #readHead(text: string): number | undefined {
    const { headerBytesMax, bodyBytesMax, mayName } = this.#rules;
    if (text.length > headerBytesMax) return undefined;
    const head = parseHead(text);
    if (head === undefined || !mayName(head.host)) return undefined;
    if (head.contentLength > Math.min(bodyBytesMax, DIRECT_BODY_BYTES_MAX)) return undefined;
    this.#heads.set(text, head.contentLength);
    return head.contentLength;
  }
}

function isBeginning(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, REQUEST_LINE.length);
  return (
    bytes.length <= DIRECT_HEAD_BYTES_MAX &&
    bytes.toString('latin1', 0, length) === REQUEST_LINE.slice(0, length)
  );
}

/** Reads a head in the common form; undefined for any other. */
function parseHead(text: string): Head | undefined {
  if (!text.startsWith(REQUEST_LINE)) return undefined;
  let host: string | undefined;
  let contentLength: number | undefined;
  let hasSite = false;
  for (const line of text.slice(REQUEST_LINE.length).split('\r\n')) {
    const [, name = '', value = ''] = FIELD_LINE.exec(line) ?? [];
    switch (name.toLowerCase()) {
      case 'host':
        if (host !== undefined) return undefined;
        host = value;
        break;
      case 'content-length':
        if (contentLength !== undefined || !CONTENT_LENGTH.test(value)) return undefined;
        contentLength = Number(value);
        break;
      case 'connection':
        if (value.toLowerCase() !== 'keep-alive') return undefined;
        break;
      case 'sec-fetch-site':
        // Two of them are one other value (RFC 9110, 5.2).
        if (hasSite || !isOwnSite(value)) return undefined;
        hasSite = true;
        break;
      default:
        if (!HARMLESS_FIELDS.has(name.toLowerCase())) return undefined;
    }
  }
  return host === undefined || contentLength === undefined ? undefined : { host, contentLength };
}
