import { PREFLIGHT_SECONDS_MAX, REFUSED_CHARACTERS_MAX } from '../limits.ts';
import { InvalidRequestError, RequestFailedError, type RpcError } from '../rpc/index.ts';
import { hostOfHeader, isLoopback, isLoopbackOrigin, normalizeHost } from './host-names.ts';
import type { Fields, HeaderFields, HttpAnswer, RequestHead } from './http-answer.ts';
import type { RefusalReason } from './metrics/metrics.ts';
import { originMatcher } from './origins.ts';

/** Who may send requests. */
export interface AccessRules {
  /** Name or address that the server was told to listen at. */
  readonly host: string;
  /** Further hosts that the Host header may name. */
  readonly allowedHosts: readonly string[];
  /** Patterns of web origins that may send requests. */
  readonly allowedOrigins: readonly string[];
  /**
   * Whether web pages of loopback hosts, on any port, and browser extensions may send requests; to the profile for
   * Ethereum's tools extensions always may, since wallets are some.
   */
  readonly localOrigins: boolean;
  /** Whether the server has a page of its own, which may send requests to where it came from. */
  readonly servesPage?: boolean | undefined;
}

/** Why a request may not pass. */
export interface AccessRefusal {
  readonly reason: Extract<RefusalReason, 'malformed' | 'host' | 'origin'>;
  /** The HTTP status that says so. */
  readonly status: 400 | 403;
  readonly error: RpcError;
}

/** Decides who may send requests. */
export interface AccessCheck {
  /** Returns what of a request is not allowed that came in at an address; undefined if it may pass. */
  refusalOf(request: RequestHead, localAddress: string): AccessRefusal | undefined;
}

/** Origins of browser extensions. */
const EXTENSION_ORIGINS = ['chrome-extension://*', 'moz-extension://*'];

/** What a browser calls the origin of a page that has none of its own. */
const UNNAMED = 'null';

/** The path of the profile for Ethereum's tools. */
export const ETHEREUM_PATH = '/ethereum';

/** Methods that the paths of calls serve. */
const ALLOWED_METHODS = 'POST, OPTIONS';

/**
 * Prepares the check of the Host and Origin headers.
 *
 * The Host must be a loopback host, the address that the connection came in at, or a listed host: a web page whose
 * name was rebound to this machine's address names another one. An Origin, which web browsers send, must be
 * allowed; where there is none, the request must not come from the page of another origin.
 */
export function accessCheck(rules: AccessRules): AccessCheck {
  const hosts = new Set([rules.host, ...rules.allowedHosts].map(normalizeHost));
  const { allowedOrigins, localOrigins, servesPage = false } = rules;
  const isListed = originMatcher(localOrigins ? [...allowedOrigins, ...EXTENSION_ORIGINS] : allowedOrigins);
  const isExtension = originMatcher(EXTENSION_ORIGINS);
  const mayAsk = (origin: string): boolean => isListed(origin) || (localOrigins && isLoopbackOrigin(origin));

  const mayName = (header: string, localAddress: string): boolean => {
    const host = hostOfHeader(header);
    if (host === undefined) return false;
    return isLoopback(host) || hosts.has(host) || host === normalizeHost(localAddress);
  };

  const refusalOf = (
    { headers, method, target }: RequestHead,
    localAddress: string,
  ): AccessRefusal | undefined => {
    const { host, origin } = headers;
    if (host === undefined) return withoutHost();
    // A preflight does nothing, and what follows it is refused in words that the page can read.
    if (method === 'OPTIONS' && origin !== undefined) return undefined;
    if (!mayName(host, localAddress)) return foreignHost(host);
    if (origin === undefined) {
      return isOfForeignPage(method, headers) && !mayAsk(UNNAMED) ? foreignPage() : undefined;
    }
    if (servesPage && isOriginOf(host, origin)) return undefined;
    if (mayAsk(origin) || (isEthereumTarget(target) && isExtension(origin))) return undefined;
    return foreignOrigin(origin);
  };
  return { refusalOf };
}

/** Whether an origin is that of the host which is asked: a proxy before the server may have made it secure. */
function isOriginOf(host: string, origin: string): boolean {
  return ['http', 'https'].some((scheme) => origin.toLowerCase() === `${scheme}://${host.toLowerCase()}`);
}

/** Whether the target of a request is the profile for Ethereum's tools. */
function isEthereumTarget(url: string): boolean {
  const [path] = url.split('?', 1);
  return path === ETHEREUM_PATH || path === `${ETHEREUM_PATH}/ws`;
}

function withoutHost(): AccessRefusal {
  const message = 'the Host header is missing: it names the host that is asked';
  return { reason: 'malformed', status: 400, error: new InvalidRequestError(message) };
}

function foreignHost(host: string): AccessRefusal {
  const message = `the host ${quoted(host)} is not allowed: --allow-host allows further ones`;
  return { reason: 'host', status: 403, error: new RequestFailedError(message) };
}

function foreignOrigin(origin: string): AccessRefusal {
  const message = `the origin ${quoted(origin)} is not allowed: --cors allows further ones`;
  return { reason: 'origin', status: 403, error: new RequestFailedError(message) };
}

function foreignPage(): AccessRefusal {
  const message = 'a page of another origin asks without naming it: only --cors * allows that';
  return { reason: 'origin', status: 403, error: new RequestFailedError(message) };
}

/** Repeats a header in a message: as JSON, in ASCII, and shortened where it is long. */
function quoted(header: string): string {
  const text = JSON.stringify(header.slice(0, REFUSED_CHARACTERS_MAX)).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return header.length > REFUSED_CHARACTERS_MAX ? `${text}…` : text;
}

/** Whether a value of `Sec-Fetch-Site` is that of no page, or of one of the same origin (Fetch Metadata, 2.4). */
function isOwnSite(site: string): boolean {
  return site === 'none' || site === 'same-origin';
}

/** Whether the page of another origin asks without saying which; a link to here that is followed is no such request. */
function isOfForeignPage(method: string, headers: HeaderFields): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  if (site === undefined || isOwnSite(site)) return false;
  return mode !== 'navigate' || (method !== 'GET' && method !== 'HEAD');
}

/** Fields of the response to a request without an origin. */
export const NO_ORIGIN_FIELDS: Fields = { vary: 'Origin' };

/** Let the web page that asks read the response: one that may ask, or else that it may not. */
export function originFields({ origin }: HeaderFields): Fields {
  return origin === undefined
    ? NO_ORIGIN_FIELDS
    : {
        vary: 'Origin',
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'Ledgerd-Block',
      };
}

/** The answer to OPTIONS, with which a web browser asks before it sends a request of another origin. */
export const PREFLIGHT: HttpAnswer = {
  status: 204,
  fields: {
    allow: ALLOWED_METHODS,
    'access-control-allow-methods': ALLOWED_METHODS,
    'access-control-allow-headers': 'Content-Type, Ledgerd-Min-Block',
    'access-control-max-age': String(PREFLIGHT_SECONDS_MAX),
  },
};
