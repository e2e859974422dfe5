import type { BlockLogOptions } from '../block-log.ts';

/** Servers of a block log, and their monitoring addresses. */
export const STREAM_SERVERS_MAX = 16;
/** Characters of `--block-log`. */
const STREAM_ADDRESS_CHARACTERS_MAX = 4_096;

/** The credentials in an address. */
export type LogLogin =
  | { readonly user: string; readonly password: string; readonly token?: never }
  | { readonly token: string; readonly user?: never; readonly password?: never };

/** The servers of a log, and the login and encryption of connections to them. */
export interface LogAddress {
  /** Hosts with their ports. */
  readonly servers: readonly string[];
  readonly login: LogLogin | undefined;
  /** True if a connection that is not encrypted is refused. */
  readonly tls: boolean;
}

export interface JetStreamSettings extends BlockLogOptions {
  readonly address: LogAddress;
}

/** The form that `parseLogAddress` accepts, in words. */
export const BLOCK_LOG_ADDRESS_FORM =
  'URLs of NATS servers with commas between them, such as nats://a:4222,nats://b:4222; tls:// instead of nats:// for ' +
  'encryption; a user and password, or a token, before the first host (nats://user:password@a)';

const PORT_DEFAULT = '4222';

/**
 * Parses the addresses of a log's servers. All have one scheme. Only the first may have credentials, which apply to
 * all. Returns undefined for any other text.
 */
export function parseLogAddress(text: string): LogAddress | undefined {
  const parts = text.split(',').map((part) => part.trim());
  if (text.length > STREAM_ADDRESS_CHARACTERS_MAX || parts.length > STREAM_SERVERS_MAX) return undefined;
  const urls = parts.flatMap((part) => readUrl(part) ?? []);
  const [first, ...others] = urls;
  if (first === undefined || urls.length < parts.length) return undefined;
  if (others.some((url) => url.protocol !== first.protocol || url.username !== '')) return undefined;
  const login = loginOf(first);
  if (login === 'unreadable') return undefined;
  const servers = urls.map(({ hostname, port }) => `${hostname}:${port || PORT_DEFAULT}`);
  return { servers: [...new Set(servers)], login, tls: first.protocol === 'tls:' };
}

/** Formats the addresses without credentials. */
export function shownLogAddress({ servers, tls }: LogAddress): string {
  return servers.map((server) => `${tls ? 'tls' : 'nats'}://${server}`).join(',');
}

function readUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'nats:' && url.protocol !== 'tls:')) return undefined;
  const isBare = (url.pathname === '' || url.pathname === '/') && url.search === '' && url.hash === '';
  const hasUser = url.username !== '' || url.password === '';
  return isBare && hasUser && url.hostname !== '' ? url : undefined;
}

function loginOf({ username, password }: URL): LogLogin | 'unreadable' | undefined {
  if (username === '') return undefined;
  try {
    const user = decodeURIComponent(username);
    return password === '' ? { token: user } : { user, password: decodeURIComponent(password) };
  } catch {
    // A percent sign that is no part of an escape.
    return 'unreadable';
  }
}
