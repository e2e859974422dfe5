import { FormatError } from '../protocol/index.ts';

/** Characters of a remote node's message that an error repeats. */
const FORK_MESSAGE_CHARACTERS_MAX = 300;

/** The address of a remote node, apart from its name. It has secrets: only requests may contain them. */
export interface Endpoint {
  /** Scheme, host and port, then `/…` if there is a path. */
  readonly name: string;
  /** The URL of requests, without user name and password, which `fetch` refuses. */
  readonly url: string;
  readonly headers: Headers;
  /** Shortens a text of the remote node for a message, without parts of the URL and the headers. */
  readonly redact: (text: string) => string;
}

/** Headers that frame a request; a client must not set them. */
const FRAMING = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Characters of the shortest part of a URL that is redacted as a possible key: shorter ones are words. */
const SECRET_CHARACTERS = 4;
/** Characters from which on a part of a path is no mere word. */
const KEY_CHARACTERS = 16;

/**
 * Parses the URL of a remote node and the further headers of requests to it, each `Name: value`.
 *
 * @throws {FormatError} for a URL that is not one of HTTP, or an impossible header; its message repeats neither
 */
export function parseEndpoint(text: string, headerTexts: readonly string[] = []): Endpoint {
  const url = parseUrl(text);
  const headers = new Headers();
  const secrets = [url.username, url.password, decoded(url.username), decoded(url.password)];
  if (url.username !== '' || url.password !== '') {
    const pair = `${decoded(url.username)}:${decoded(url.password)}`;
    const credentials = Buffer.from(pair, 'utf8').toString('base64');
    headers.set('authorization', `Basic ${credentials}`);
    secrets.push(credentials);
  }
  for (const header of headerTexts) secrets.push(...addHeader(headers, header));
  const path = url.pathname.split('/').filter(looksLikeKey);
  const query = [...url.searchParams].flat();
  secrets.push(...path, ...path.map(decoded), ...query, url.search.slice(1), url.pathname.slice(1));
  const hasPath = url.pathname !== '/' || url.search !== '';
  const name = `${url.protocol}//${url.host}${hasPath ? '/…' : ''}`;
  url.username = '';
  url.password = '';
  url.hash = '';
  return { name, url: url.href, headers, redact: redactorOf(secrets) };
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw new FormatError('url', 'the URL of the remote node is not valid');
  if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  throw new FormatError('url', 'the URL of the remote node must begin with http:// or https://');
}

/** Adds a header. Returns its secrets: the value, and the words of it. */
function addHeader(headers: Headers, text: string): string[] {
  const [, name = '', value = ''] = /^([^:]+):\s*(.*?)\s*$/s.exec(text) ?? [];
  if (name === '') throw new FormatError('header', 'a header of the remote node must be "Name: value"');
  if (FRAMING.has(name.trim().toLowerCase())) {
    throw new FormatError('header', 'this header of requests to the remote node cannot be set');
  }
  try {
    headers.set(name.trim(), value);
  } catch {
    // The error of the platform repeats the value.
    throw new FormatError('header', 'a header of the remote node has characters that HTTP does not allow');
  }
  return [value, ...value.split(/\s+/)];
}

/** Returns false for a part of a path that is a mere word, such as `mainnet`: messages may need it. */
function looksLikeKey(part: string): boolean {
  return part.length >= KEY_CHARACTERS || !/^[a-z]*$/.test(part);
}

/** Decodes the escapes of a part of a URL; an invalid one stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function redactorOf(secrets: readonly string[]): (text: string) => string {
  const parts = [...new Set(secrets.filter(({ length }) => length >= SECRET_CHARACTERS))];
  // A secret that contains another one must go first, or its rest would stay.
  parts.sort((left, right) => right.length - left.length);
  return (text) => {
    let redacted = text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
    for (const part of parts) redacted = redacted.replaceAll(part, '…');
    const isLong = redacted.length > FORK_MESSAGE_CHARACTERS_MAX;
    return isLong ? `${redacted.slice(0, FORK_MESSAGE_CHARACTERS_MAX)}…` : redacted;
  };
}
