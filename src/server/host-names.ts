import { BlockList, isIP, isIPv6 } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** A Host header: a name, an IPv4 address or an IPv6 address in brackets, and perhaps a port. */
const HOST_HEADER = /^(?:\[([0-9a-f:.]+)\]|([^[\]:/@\s]+))(?::\d{0,5})?$/i;
/** Prefix of an IPv4 address on a socket that serves both families. */
const MAPPED_PREFIX = '::ffff:';
/** Groups of 16 bits in an IPv6 address, and in the part of it that identifies one client. */
const GROUPS = 8;
const CLIENT_GROUPS = 4;

/** Returns the normalized host of a Host header; undefined for a malformed one. */
export function hostOfHeader(header: string): string | undefined {
  const match = HOST_HEADER.exec(header);
  const host = match?.[1] ?? match?.[2];
  return host === undefined ? undefined : normalizeHost(host);
}

/** Writes a host in the form that is compared: lower case, no brackets, no dot at the end, no mapped IPv4 address. */
export function normalizeHost(host: string): string {
  const bare = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
  const mapped = bare.startsWith(MAPPED_PREFIX) ? bare.slice(MAPPED_PREFIX.length) : bare;
  return isIP(mapped) === 4 ? mapped : bare;
}

/** Returns the client of an address: an IPv4 address, or the 64 bits of an IPv6 address that one client is given. */
export function clientOf(address: string): string {
  const [bare = ''] = normalizeHost(address).split('%', 1);
  // The colon first: Node compiles a long regular expression for its test.
  if (!bare.includes(':') || !isIPv6(bare)) return bare;
  const [head = '', tail = ''] = bare.split('::', 2);
  const [first, last] = [head, tail].map((part) => (part === '' ? [] : part.split(':')));
  const zeros = new Array<string>(Math.max(0, GROUPS - (first?.length ?? 0) - (last?.length ?? 0))).fill('0');
  const groups = [...(first ?? []), ...zeros, ...(last ?? [])].slice(0, CLIENT_GROUPS);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** Returns true if a normalized host is this machine's: `localhost` and below (RFC 6761), 127.0.0.0/8, ::1. */
export function isLoopback(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host === 'localhost' || host.endsWith('.localhost');
  return LOOPBACK.check(host, family === 6 ? 'ipv6' : 'ipv4');
}

/** Returns true if a web origin is on this machine: scheme http or https on a loopback host, any port. */
export function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname, origin: canonical } = new URL(origin);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  return canonical === origin.toLowerCase() && isLoopback(normalizeHost(hostname));
}
