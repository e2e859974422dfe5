import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { SLOW_CLIENT_CHECK_MS_MAX, UNACCEPTED_CONNECTIONS_MAX } from '../limits.ts';
import { invariant } from '../protocol/index.ts';
import { accessCheck } from './access.ts';
import { type AppOptions, createApp } from './app.ts';
import { Connections } from './connections.ts';
import { serveDirectly } from './direct/direct-server.ts';
import { FullServer } from './full-server.ts';
import type { RefusalReason } from './metrics/metrics.ts';
import { clientOf, RateLimiter } from './rate-limiter.ts';
import { DEFAULT_SERVER_LIMITS, type ServerLimits } from './server-limits.ts';

/** What a server is started with. */
export interface ServerOptions extends AppOptions {
  /** 0 for a port that the system chooses. */
  readonly port: number;
  /** Bounds other than the default ones. */
  readonly limits?: Partial<ServerLimits> | undefined;
}

/** A server that listens. */
export interface RunningServer {
  /** Where it is reached, such as `http://127.0.0.1:8545`. */
  readonly url: string;
  readonly port: number;
  /**
   * Stops listening, closes idle connections at once and lets requests in flight finish, for as long as the
   * limits allow.
   */
  close(): Promise<void>;
}

/**
 * Starts serving JSON-RPC at `POST /`, its description at `GET /openrpc.json`, and what else the options offer.
 * Rejects with the system's error when it cannot listen there.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const limits: ServerLimits = { ...DEFAULT_SERVER_LIMITS, ...options.limits };
  const { dispatcher, metrics } = options;
  const onRefused = metrics?.onRefused ?? (() => undefined);
  const http = createHttpServer(limits);
  const { connectionsMax, heldBytesMax } = limits;
  const admit = rateLimit(limits, onRefused);
  const onOpened = (): void => dispatcher.noticeArrival();
  const connections = new Connections(http, { connectionsMax, heldBytesMax, admit, onRefused, onOpened });
  metrics?.countConnections(() => connections.size);
  const access = accessCheck(options);
  const full = new FullServer(() => createApp(options, { http, access, connections, limits, onRefused }));
  serveDirectly(http, { dispatcher, connections, limits, full, mayName: access.mayName });
  http.listen({ host: options.host, port: options.port, backlog: UNACCEPTED_CONNECTIONS_MAX });
  await once(http, 'listening');

  const address = http.address();
  invariant(typeof address === 'object' && address !== null, 'a server that listens has an address and port');
  const { port } = address;
  let closed: Promise<void> | undefined;
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    port,
    close: () => {
      closed ??= closeGracefully({ http, full, connections }, limits.closeGraceMs);
      return closed;
    },
  };
}

/** What serves. */
interface ServerParts {
  readonly http: Server;
  readonly full: FullServer;
  readonly connections: Connections;
}

async function closeGracefully({ http, full, connections }: ServerParts, graceMs: number): Promise<void> {
  const closed = once(http, 'close');
  http.close();
  connections.closeWhenIdle();
  const deadline = setTimeout(() => connections.closeAll(), graceMs);
  try {
    await Promise.all([full.close(), closed]);
  } finally {
    clearTimeout(deadline);
  }
}

function createHttpServer(limits: ServerLimits): Server {
  // A request is its headers at least.
  const headersTimeout = Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs);
  const server = createServer({
    headersTimeout,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    maxHeaderSize: limits.headerBytesMax,
    // How often the first two time-outs are looked at.
    connectionsCheckingInterval: Math.min(Math.ceil(headersTimeout / 2), SLOW_CLIENT_CHECK_MS_MAX),
  });
  // A client that does not read its answer.
  server.setTimeout(limits.stalledTimeoutMs);
  return server;
}

/** Counts the calls of each client, where there is a bound of them. */
function rateLimit({ callsPerSecondMax }: ServerLimits, onRefused: (reason: RefusalReason) => void) {
  if (callsPerSecondMax === 0) return undefined;
  const limiter = new RateLimiter({
    callsPerSecond: callsPerSecondMax,
    now: () => performance.now(),
    onRefused: () => onRefused('rate'),
  });
  return (address: string) => limiter.admit(clientOf(address));
}
