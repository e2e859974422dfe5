import { BoundedMap } from '../../bounded-map.ts';
import { DIRECT_BODY_BYTES_MAX, DIRECT_HEAD_BYTES_MAX, DIRECT_HEADS_MAX } from '../../limits.ts';
import type { ProfileId } from '../../rpc/index.ts';
import { ETHEREUM_PATH, isOwnSite } from '../access.ts';
import { MIN_BLOCK_FIELD, readMinBlock } from '../head-fields.ts';

/** Where a request lies in the bytes that have come. */
export interface CommonRequest {
  readonly kind: 'whole';
  /** In whose shapes it is answered, which its path says. */
  readonly profile: ProfileId;
  /** The block that has to be here before it is answered; 0 where it names none. */
  readonly minBlock: number;
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
  readonly profile: ProfileId;
  readonly minBlock: number;
  readonly host: string;
  readonly contentLength: number;
}

const UNFINISHED: Reading = { kind: 'unfinished' };
const OTHER: Reading = { kind: 'other' };
/** The request lines of the profiles. */
const REQUEST_LINES: readonly (readonly [line: string, profile: ProfileId])[] = [
  ['POST / HTTP/1.1\r\n', 'ledger'],
  [`POST ${ETHEREUM_PATH} HTTP/1.1\r\n`, 'ethereum'],
];
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
 * Recognises requests in the form that clients send them: POST to a profile's path with the ordinary header fields and
 * a body of known length. It accepts less than HTTP allows, and never what HTTP does not allow, so that whatever it
 * does not recognise can go to the full parser as it came.
 *
 * A client's heads are mostly alike, so that those that were read are remembered.
 */
export class CommonRequests {
  readonly #rules: CommonRequestRules;
  readonly #heads = new BoundedMap<string, Head>(DIRECT_HEADS_MAX);

  constructor(rules: CommonRequestRules) {
    this.#rules = rules;
  }

  /** Looks for one request at the beginning of what has come. */
  read(bytes: Buffer): Reading {
    const headEnd = bytes.indexOf(END_OF_HEAD, 0, 'latin1');
    if (headEnd < 0) return isBeginning(bytes) ? UNFINISHED : OTHER;
    if (headEnd > DIRECT_HEAD_BYTES_MAX) return OTHER;
    const text = bytes.toString('latin1', 0, headEnd);
    const head = this.#heads.get(text) ?? this.#readHead(text);
    if (head === undefined) return OTHER;
    const { contentLength, profile, minBlock } = head;
    const bodyStart = headEnd + END_OF_HEAD.length;
    const end = bodyStart + contentLength;
    return bytes.length < end ? UNFINISHED : { kind: 'whole', profile, minBlock, bodyStart, end };
  }

  #readHead(text: string): Head | undefined {
    const { headerBytesMax, bodyBytesMax, mayName } = this.#rules;
    if (text.length > headerBytesMax) return undefined;
    const head = parseHead(text);
    if (head === undefined || !mayName(head.host)) return undefined;
    if (head.contentLength > Math.min(bodyBytesMax, DIRECT_BODY_BYTES_MAX)) return undefined;
    this.#heads.set(text, head);
    return head;
  }
}

function isBeginning(bytes: Buffer): boolean {
  if (bytes.length > DIRECT_HEAD_BYTES_MAX) return false;
  return REQUEST_LINES.some(([line]) => {
    const length = Math.min(bytes.length, line.length);
    return bytes.toString('latin1', 0, length) === line.slice(0, length);
  });
}

/** Reads a head in the common form; undefined for any other. */
function parseHead(text: string): Head | undefined {
  const [line, profile] = REQUEST_LINES.find(([first]) => text.startsWith(first)) ?? [];
  if (line === undefined || profile === undefined) return undefined;
  let host: string | undefined;
  let contentLength: number | undefined;
  let hasSite = false;
  let minBlock: number | undefined;
  for (const field of text.slice(line.length).split('\r\n')) {
    const [, name = '', value = ''] = FIELD_LINE.exec(field) ?? [];
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
      case MIN_BLOCK_FIELD:
        if (minBlock !== undefined) return undefined;
        minBlock = readMinBlock(value);
        if (minBlock === undefined) return undefined;
        break;
      default:
        if (!HARMLESS_FIELDS.has(name.toLowerCase())) return undefined;
    }
  }
  if (host === undefined || contentLength === undefined) return undefined;
  return { profile, minBlock: minBlock ?? 0, host, contentLength };
}
