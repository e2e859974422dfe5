import {
  InvalidRequestError,
  type ProfileId,
  RequestFailedError,
  type RpcError,
  SERVES_ETHEREUM,
} from '../rpc/index.ts';
import { hostOfHeader, isLoopback, isLoopbackOrigin, normalizeHost } from './host-names.ts';
import type { HttpResponse, RequestHead, RequestHeaders, ResponseHeaders } from './http-response.ts';
import type { RefusalReason } from './metrics/metrics.ts';
import { webSocketPaths } from './profile-paths.ts';

/** Seconds that a browser may cache the response to a preflight request. */
const PREFLIGHT_SECONDS_MAX = 600;
/** Characters of a refused Host or Origin header that the refusal repeats. */
const REFUSED_CHARACTERS_MAX = 100;

export interface AccessRules {
  /** Name or address at which the server listens. */
  readonly host: string;
  /** Further hosts that the Host header may name. */
  readonly allowedHosts: readonly string[];
  /** Patterns of web origins that may send requests. */
  readonly allowedOrigins: readonly string[];
  /**
   * True if web pages of loopback hosts, on any port, and browser extensions may send requests. Extensions may always
   * send them to the profile for Ethereum's tools, since wallets are extensions.
   */
  readonly localOrigins: boolean;
  /** The profile at `/`. */
  readonly root: ProfileId;
  /** True if the server has a page, which may send requests to its origin. */
  readonly servesPage?: boolean | undefined;
}

export interface AccessRefusal {
  readonly reason: Extract<RefusalReason, 'malformed' | 'host' | 'origin'>;
  readonly status: 400 | 403;
  readonly error: RpcError;
}

/** Returns the refusal of a request that arrived at an address; undefined for an allowed one. */
export type AccessCheck = (request: RequestHead, localAddress: string) => AccessRefusal | undefined;

const EXTENSION_ORIGINS = ['chrome-extension://*', 'moz-extension://*'];

/** The Origin header of a page with an opaque origin. */
const UNNAMED = 'null';

/** Methods that the paths of calls serve. */
const ALLOWED_METHODS = 'POST, OPTIONS';

/**
 * Prepares the check of the Host and Origin headers.
 *
 * The Host must be a loopback host, the local address of the connection, or a listed host: this refuses DNS rebinding,
 * in which the name of a foreign web page resolves to this machine. An Origin, which web browsers send, must be
 * allowed; a request without one must not come from the page of another origin.
 */
export function accessCheck(rules: AccessRules): AccessCheck {
  const hosts = new Set([rules.host, ...rules.allowedHosts].map(normalizeHost));
  const { allowedOrigins, localOrigins, root, servesPage = false } = rules;
  const paths = webSocketPaths(root);
  const isListed = originMatcher(localOrigins ? [...allowedOrigins, ...EXTENSION_ORIGINS] : allowedOrigins);
  const isExtension = originMatcher(EXTENSION_ORIGINS);
  const isAllowedOrigin = (origin: string): boolean =>
    isListed(origin) || (localOrigins && isLoopbackOrigin(origin));

  const isAllowedHost = (header: string, localAddress: string): boolean => {
    const host = hostOfHeader(header);
    if (host === undefined) return false;
    return isLoopback(host) || hosts.has(host) || host === normalizeHost(localAddress);
  };

  return ({ headers, method, target }, localAddress) => {
    const { host, origin } = headers;
    if (host === undefined) return MISSING_HOST;
    // A preflight does nothing, and the refusal of the request after it is readable by the page.
    if (method === 'OPTIONS' && origin !== undefined) return undefined;
    if (!isAllowedHost(host, localAddress)) {
      return forbidden('host', `the host ${quoted(host)} is not allowed: --allow-host allows further ones`);
    }
    if (origin === undefined) {
      return isOfForeignPage(method, headers) && !isAllowedOrigin(UNNAMED) ? HIDDEN_ORIGIN : undefined;
    }
    if (servesPage && isOriginOf(host, origin)) return undefined;
    if (isAllowedOrigin(origin)) return undefined;
    const [path = ''] = target.split('?', 1);
    const profile = paths.get(path);
    // The extensions of browsers are wallets.
    if (profile !== undefined && SERVES_ETHEREUM[profile] && isExtension(origin)) return undefined;
    return forbidden('origin', `the origin ${quoted(origin)} is not allowed: --cors allows further ones`);
  };
}

/** Returns true for the origin of the requested host; a proxy in front of the server may add TLS. */
function isOriginOf(host: string, origin: string): boolean {
  return ['http', 'https'].some((scheme) => origin.toLowerCase() === `${scheme}://${host.toLowerCase()}`);
}

const MISSING_HOST: AccessRefusal = {
  reason: 'malformed',
  status: 400,
  error: new InvalidRequestError('the Host header is missing: send the name of this host'),
};
const HIDDEN_ORIGIN = forbidden(
  'origin',
  'a page of another origin sent no Origin header: only --cors * allows that',
);

function forbidden(reason: 'host' | 'origin', message: string): AccessRefusal {
  return { reason, status: 403, error: new RequestFailedError(message) };
}

/** Quotes a header in a message: as JSON, in ASCII, and truncated. */
function quoted(header: string): string {
  const text = JSON.stringify(header.slice(0, REFUSED_CHARACTERS_MAX)).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return header.length > REFUSED_CHARACTERS_MAX ? `${text}…` : text;
}

/** Returns true for a `Sec-Fetch-Site` of a user's navigation or of a page of the same origin (Fetch Metadata, 2.4). */
function isOwnSite(site: string): boolean {
  return site === 'none' || site === 'same-origin';
}

/** Returns true for a request of another origin's page that does not name its origin, except by a followed link. */
function isOfForeignPage(method: string, headers: RequestHeaders): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  if (site === undefined || isOwnSite(site)) return false;
  return mode !== 'navigate' || (method !== 'GET' && method !== 'HEAD');
}

/** Headers of the response to a request without an origin. */
export const NO_ORIGIN_HEADERS: ResponseHeaders = { vary: 'Origin' };

/** Returns the headers that let a web page read the response, which may be a refusal. */
export function originHeaders({ origin }: RequestHeaders): ResponseHeaders {
  return origin === undefined
    ? NO_ORIGIN_HEADERS
    : {
        vary: 'Origin',
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'Ledgerd-Block',
      };
}

/** The response to a preflight request, which browsers send before a request to another origin. */
export const PREFLIGHT: HttpResponse = {
  status: 204,
  headers: {
    allow: ALLOWED_METHODS,
    'access-control-allow-methods': ALLOWED_METHODS,
    'access-control-allow-headers': 'Content-Type, Ledgerd-Min-Block',
    'access-control-max-age': String(PREFLIGHT_SECONDS_MAX),
  },
};

/** `scheme://host` with perhaps a port; the host may be `*` or begin with `*.`, the port may be `*`. */
const PATTERN =
  /^([a-z][a-z0-9+.-]*):\/\/(?:\*|(?:\*\.)?[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(?::(?:\*|\d{1,5}))?$/;
const WEB_SCHEMES = ['http', 'https'];
/** Pattern of every origin, also of the opaque one. */
const ANY = '*';

/**
 * Returns true if a text is a pattern of web origins, in lower case: an origin, or one with `*` for one or more labels
 * in front of its host (`https://*.example.org`), for its whole host (`chrome-extension://*`) or for its port
 * (`http://localhost:*`), or `*` for every origin. Pages of files have no origin that distinguishes them.
 */
export function isOriginPattern(text: string): boolean {
  if (text === ANY) return true;
  const scheme = PATTERN.exec(text)?.[1];
  if (scheme === undefined || scheme === 'file') return false;
  if (!WEB_SCHEMES.includes(scheme)) return true;
  // A form that no browser writes, such as a scheme's default port, would never match.
  const sample = text.replace(/:\*$/, '').replace('*', 'x');
  return URL.canParse(sample) && new URL(sample).origin === sample;
}

/** Prepares the comparison of origins with patterns that `isOriginPattern` accepts. */
export function originMatcher(patterns: readonly string[]): (origin: string) => boolean {
  const expressions = patterns.map((pattern) => expressionOf(pattern.toLowerCase()));
  return (origin) => {
    const normal = origin.toLowerCase();
    return expressions.some((expression) => expression.test(normal));
  };
}

function expressionOf(pattern: string): RegExp {
  if (pattern === ANY) return /^/;
  const source = pattern
    .replace(/[.+^${}()|[\]\\?]/g, '\\$&')
    .replace(/:\*$/, '(?::\\d{1,5})?')
    .replace('//*\\.', '//(?:[a-z0-9_-]+\\.)+')
    .replace('//*', '//(?:[a-z0-9._-]+|\\[[0-9a-f:.]+\\])');
  return new RegExp(`^${source}$`);
}
