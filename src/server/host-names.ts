import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** A Host header: a name, an IPv4 address or an IPv6 address in brackets, and perhaps a port. */
const HOST_HEADER = /^(?:\[([0-9a-f:.]+)\]|([^[\]:/@\s]+))(?::\d{0,5})?$/i;
/** How an IPv4 address looks on a socket that serves both families. */
const MAPPED_PREFIX = '::ffff:';

/** Takes the host out of a Host header: lower case, without brackets and port; undefined when it is not one. */
export function hostOfHeader(header: string): string | undefined {
  const match = HOST_HEADER.exec(header);
  const host = match?.[1] ?? match?.[2];
  return host === undefined ? undefined : normalizeHost(host);
}

/** Writes a host as it is compared: lower case, no brackets, no dot at the end, no IPv4 address in IPv6 clothes. */
export function normalizeHost(host: string): string {
  const bare = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
  const mapped = bare.startsWith(MAPPED_PREFIX) ? bare.slice(MAPPED_PREFIX.length) : bare;
  return isIP(mapped) === 4 ? mapped : bare;
}

/** Tells whether a normalized host is this machine's own: `localhost` and below (RFC 6761), 127.0.0.0/8, ::1. */
export function isLoopback(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host === 'localhost' || host.endsWith('.localhost');
  return LOOPBACK.check(host, family === 6 ? 'ipv6' : 'ipv4');
}

/** Tells whether a web origin lies on this machine: scheme http or https on a loopback host, any port. */
export function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname, origin: canonical } = new URL(origin);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  return canonical === origin.toLowerCase() && isLoopback(normalizeHost(hostname));
}
