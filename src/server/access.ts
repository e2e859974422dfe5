import type { FastifyReply, FastifyRequest } from 'fastify';
import { PREFLIGHT_SECONDS_MAX } from '../limits.ts';
import { hostOfHeader, isLoopback, isLoopbackOrigin, normalizeHost } from './host-names.ts';

/** Who may send requests. */
export interface AccessRules {
  /** Name or address that the server was told to listen at. */
  readonly host: string;
  /** Further hosts that the Host header may name. */
  readonly allowedHosts: readonly string[];
  /** Web origins that may send requests. */
  readonly allowedOrigins: readonly string[];
  /** Whether web pages of loopback hosts may send requests, on any port. */
  readonly loopbackOrigins: boolean;
}

/** Decides who may send requests. */
export interface AccessCheck {
  /** Whether a request may have a Host header where its connection came in at an address. */
  mayName(header: string, localAddress: string | undefined): boolean;
  /** What of a request is not allowed; undefined when it may pass. */
  refusalOf(request: FastifyRequest): 'host' | 'origin' | undefined;
}

/** Methods that `/` serves. */
export const ALLOWED_METHODS = 'POST, OPTIONS';

/**
 * Prepares the check of the Host and Origin headers.
 *
 * The Host must be a loopback host, the address that the connection came in at, or a listed host: a web page whose
 * name was rebound to this machine's address names another one. An Origin, which web browsers send, must be
 * allowed.
 */
export function accessCheck(rules: AccessRules): AccessCheck {
  const hosts = new Set([rules.host, ...rules.allowedHosts].map(normalizeHost));
  const origins = new Set(rules.allowedOrigins.map(normalizeOrigin));

  const mayName = (header: string, localAddress: string | undefined): boolean => {
    const host = hostOfHeader(header);
    if (host === undefined) return false;
    const isListed = isLoopback(host) || hosts.has(host);
    return isListed || (localAddress !== undefined && host === normalizeHost(localAddress));
  };

  const refusalOf = ({ headers, raw }: FastifyRequest): 'host' | 'origin' | undefined => {
    if (!mayName(headers.host ?? '', raw.socket.localAddress)) return 'host';
    const { origin } = headers;
    if (origin === undefined || origins.has(normalizeOrigin(origin))) return undefined;
    return rules.loopbackOrigins && isLoopbackOrigin(origin) ? undefined : 'origin';
  };
  return { mayName, refusalOf };
}

/** Lets the web page of an origin that was checked read the answer. */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('vary', 'Origin');
  const { origin } = request.headers;
  if (origin !== undefined) reply.header('access-control-allow-origin', origin);
}

/** Answers OPTIONS, with which a web browser asks before it sends a request of another origin. */
export function answerPreflight(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .header('allow', ALLOWED_METHODS)
    .header('access-control-allow-methods', ALLOWED_METHODS)
    .header('access-control-allow-headers', 'Content-Type')
    .header('access-control-max-age', String(PREFLIGHT_SECONDS_MAX))
    .send();
}

/** Origins compare by scheme, host and port; a browser writes them in lower case and without a slash. */
function normalizeOrigin(origin: string): string {
  return origin.toLowerCase().replace(/\/$/, '');
}
