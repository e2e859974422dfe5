import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import type { JetStreamManager } from '@nats-io/jetstream';
import type { ConnectionOptions, Msg, MsgHdrs, NatsConnection, Subscription } from '@nats-io/transport-node';
import { readBoundedFile } from '../../../files/bounded-file.ts';
import { BlockLogUnavailableError, BlockLogUnsoundError } from '../block-log.ts';
import { type JetStreamSettings, shownLogAddress } from './log-address.ts';
import { STREAM_OPEN_TIMEOUT_MS, STREAM_REQUEST_TIMEOUT_MS, STREAM_RETRY_MS } from './timeouts.ts';

/** Bytes of the file with the credentials of the block log. */
const STREAM_CREDENTIALS_BYTES_MAX = 64 * 1024;
/** Milliseconds to connect to a server of the block log, and between two attempts. */
const STREAM_CONNECT_TIMEOUT_MS = 2_000;
const STREAM_RECONNECT_MS = 200;

/** Milliseconds between two pings of a server of the block log. */
const STREAM_PING_MS = 1_000;

const PINGS_MISSED = 2;
const MILLISECONDS = 1_000;

/** The client library, loaded when a log is opened: most nodes have none. */
type NatsPackage = typeof import('@nats-io/transport-node');

/** A connection to the servers of a log, which reconnects to another server automatically. */
export class LogConnection {
  readonly url: string;
  readonly nats: NatsConnection;
  readonly manager: JetStreamManager;
  readonly #core: NatsPackage;
  #isConnected = true;

  private constructor(url: string, nats: NatsConnection, manager: JetStreamManager, core: NatsPackage) {
    this.url = url;
    this.nats = nats;
    this.manager = manager;
    this.#core = core;
    void this.#watch();
  }

  /**
   * Connects to one of the servers; retries for a while.
   * @param stop once aborted, connecting ends
   * @throws BlockLogUnavailableError if none can be reached, BlockLogUnsoundError for unusable credentials, and the
   *   reason of `stop`
   */
  static async open(settings: JetStreamSettings, stop?: AbortSignal): Promise<LogConnection> {
    const url = shownLogAddress(settings.address);
    const [core, streams] = await Promise.all([
      import('@nats-io/transport-node'),
      import('@nats-io/jetstream'),
    ]);
    const options = connectionOptions(settings, core);
    return retried(async () => {
      try {
        const nats = await unlessStopped(core.connect(options), stop);
        const timeout = STREAM_REQUEST_TIMEOUT_MS;
        const manager = await streams.jetstreamManager(nats, { checkAPI: false, timeout });
        return new LogConnection(url, nats, manager, core);
      } catch (cause) {
        const tried = isRefusal(cause) ? '' : ` within ${STREAM_OPEN_TIMEOUT_MS / MILLISECONDS} s`;
        const reason = `${reasonOf(cause)}${howToLogIn(cause, settings)}`;
        throw new BlockLogUnavailableError(`no connection to the log at ${url}${tried}: ${reason}`, {
          cause,
        });
      }
    }, stop);
  }

  get isConnected(): boolean {
    return this.#isConnected && !this.nats.isClosed();
  }

  headers(entries: Iterable<readonly [name: string, value: string]>): MsgHdrs {
    const headers = this.#core.headers();
    for (const [name, value] of entries) headers.set(name, value);
    return headers;
  }

  /** Sends a message and waits for the response. @throws BlockLogUnavailableError */
  async request(subject: string, data: Uint8Array, headers: MsgHdrs): Promise<Msg> {
    if (!this.isConnected)
      throw new BlockLogUnavailableError(`the connection to the log at ${this.url} is lost`);
    return this.query(() =>
      this.nats.request(subject, data, { headers, timeout: STREAM_REQUEST_TIMEOUT_MS }),
    );
  }

  /** Runs a query of the servers. @throws BlockLogUnavailableError for any error of the client library */
  async query<T>(query: () => Promise<T>): Promise<T> {
    try {
      return await query();
    } catch (error) {
      if (error instanceof BlockLogUnavailableError || error instanceof BlockLogUnsoundError) throw error;
      throw new BlockLogUnavailableError(`the log at ${this.url} does not respond: ${reasonOf(error)}`, {
        cause: error,
      });
    }
  }

  /** Listens to a subject until the subscription ends, across reconnections. */
  subscribe(subject: string, onMessage: (message: Msg) => void): Subscription {
    return this.nats.subscribe(subject, {
      callback: (error, message) => {
        // Messages may get lost anyway, so a refusal needs no handling.
        if (error === null) onMessage(message);
      },
    });
  }

  async close(): Promise<void> {
    await this.nats.close();
  }

  async #watch(): Promise<void> {
    for await (const { type } of this.nats.status()) {
      if (type === 'disconnect') this.#isConnected = false;
      else if (type === 'reconnect') this.#isConnected = true;
    }
  }
}

/**
 * Retries an attempt for a while, since servers may be starting or electing their leaders. Throws the last error, the
 * first one that a retry does not fix, and the reason of `stop`.
 */
export async function retried<T>(attempt: () => Promise<T>, stop?: AbortSignal): Promise<T> {
  const deadline = performance.now() + STREAM_OPEN_TIMEOUT_MS;
  for (;;) {
    stop?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      stop?.throwIfAborted();
      if (!isTransient(error) || performance.now() >= deadline) throw error;
      await delay(STREAM_RETRY_MS);
    }
  }
}

/** Waits for a connection until the signal is aborted; a later connection is closed. */
async function unlessStopped(
  connecting: Promise<NatsConnection>,
  stop?: AbortSignal,
): Promise<NatsConnection> {
  if (stop === undefined) return connecting;
  const over = new AbortController();
  const stopped = once(stop, 'abort', { signal: over.signal }).then(() => stop.throwIfAborted());
  try {
    await Promise.race([connecting, stopped]);
    return await connecting;
  } catch (error) {
    connecting.then((late) => late.close()).catch(() => undefined);
    throw error;
  } finally {
    stopped.catch(() => undefined);
    over.abort();
  }
}

function connectionOptions(settings: JetStreamSettings, core: NatsPackage): ConnectionOptions {
  const { address, authorityFile } = settings;
  const { servers, tls } = address;
  return {
    servers: [...servers],
    name: 'ledgerd',
    // This node needs no copies of its messages.
    noEcho: true,
    timeout: STREAM_CONNECT_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: STREAM_RECONNECT_MS,
    ignoreAuthErrorAbort: true,
    pingInterval: STREAM_PING_MS,
    maxPingOut: PINGS_MISSED,
    ...loginOptions(settings, core),
    ...(tls || authorityFile !== undefined ? { tls: tlsOptions(servers, authorityFile) } : {}),
  };
}

/**
 * Verifies that the certificate is that of a configured server, also for IP addresses, which the client library does
 * not compare.
 */
function tlsOptions(servers: readonly string[], authorityFile: string | undefined) {
  const hosts = servers.map((server) => server.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'));
  return {
    ...(authorityFile === undefined
      ? {}
      : { ca: new TextDecoder().decode(readSmallFile('--block-log-ca', authorityFile)) }),
    checkServerIdentity: (_host: string, certificate: PeerCertificate): Error | undefined => {
      const errors = hosts.map((host) => checkServerIdentity(host, certificate));
      return errors.includes(undefined) ? undefined : errors[0];
    },
  };
}

/** Describes a failure and its causes. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.message || error.name;
  return error.cause instanceof Error && error.cause.message !== own
    ? `${own} (${reasonOf(error.cause)})`
    : own;
}

/** Returns a field of an unchecked response; undefined if it has none of that name. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** Names of the client library's errors about denied access. */
const DENIALS = ['AuthorizationError', 'UserAuthenticationExpiredError'];

/** Names of errors that a retry does not fix. */
const REFUSALS = [...DENIALS, 'InvalidArgumentError', 'PermissionViolationError'];

/** Returns the credentials of a connection. @throws BlockLogUnsoundError for an unusable credentials file */
function loginOptions(
  { address: { login }, credentialsFile }: JetStreamSettings,
  { credsAuthenticator }: typeof import('@nats-io/transport-node'),
): ConnectionOptions {
  if (credentialsFile !== undefined) {
    const authenticator = credsAuthenticator(readSmallFile('--block-log-credentials', credentialsFile));
    try {
      // Checked now: later, an unreadable file would look like a server that does not respond.
      authenticator('nonce');
    } catch (cause) {
      throw new BlockLogUnsoundError(
        `--block-log-credentials: ${credentialsFile} has no NATS credentials, which are a user's token and the ` +
          "seed of the user's key, as nsc generate creds writes them",
        { cause },
      );
    }
    return { authenticator };
  }
  if (login === undefined) return {};
  return login.token === undefined ? { user: login.user, pass: login.password } : { token: login.token };
}

/** Explains how to log in, after denied access; empty for any other error. */
function howToLogIn(error: unknown, { address: { login }, credentialsFile }: JetStreamSettings): string {
  if (!isOneOf(DENIALS, error)) return '';
  if (credentialsFile !== undefined) {
    return `: its servers do not accept the credentials of --block-log-credentials, in ${credentialsFile}`;
  }
  return login === undefined
    ? ': its servers require authentication: give --block-log-credentials, or a user or token in --block-log'
    : `: its servers do not accept the ${login.token === undefined ? 'user and password' : 'token'} in --block-log`;
}

/** Returns true for an error of the log that a retry may fix. */
export function isTransient(error: unknown): error is BlockLogUnavailableError {
  return error instanceof BlockLogUnavailableError && !isRefusal(error);
}

/** Returns true for denied access or an invalid certificate, which a retry does not fix. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return REFUSALS.includes(error.name) || /CERT|^ERR_TLS/.test(code) || isRefusal(error.cause);
}

/** Reads the file of a flag. @throws BlockLogUnsoundError */
function readSmallFile(flag: string, path: string): Uint8Array {
  const unreadable = (reason: string, cause?: unknown) =>
    new BlockLogUnsoundError(`${flag}: ${path} cannot be read: ${reason}`, { cause });
  return readBoundedFile(path, STREAM_CREDENTIALS_BYTES_MAX, unreadable);
}

function isOneOf(names: readonly string[], error: unknown): boolean {
  return error instanceof Error && (names.includes(error.name) || isOneOf(names, error.cause));
}
