import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import { UNACCEPTED_CONNECTIONS_MAX } from '../limits.ts';
import { invariant } from '../protocol/index.ts';
import { type AccessRefusal, type AccessRules, accessCheck } from './access.ts';
import { Connections } from './connections.ts';
import { HeadWaits, type ServedHead } from './head-waits.ts';
import { createHttpServer } from './http/serve-http.ts';
import { ParseTurns } from './parse-turns.ts';
import { RateLimiter, UnusedConnections } from './rate-limiter.ts';
import { type RefusalNotice, RefusalNotices } from './refusal-notices.ts';
import { type RouteOptions, routesOf } from './routes.ts';
import { DEFAULT_SERVER_LIMITS, type ServerLimits } from './server-limits.ts';
import { webSocketUpgrades } from './websocket/upgrades.ts';
import { WebSockets } from './websocket/web-sockets.ts';

/** Where a server listens, whom it lets in, and what it serves. */
export interface ServerOptions extends AccessRules, RouteOptions {
  /** The newest block of the chain. */
  readonly head: ServedHead;
  /** 0 for a port that the system chooses. */
  readonly port: number;
  /** Told now and then of requests whose Host or Origin is not allowed; absent: nobody is told. */
  readonly onRequestRefused?: ((notice: RefusalNotice) => void) | undefined;
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
  /** Lets the process end while the server listens, as `unref` of Node's servers does; connections included. */
  unref(): void;
}

/**
 * Starts serving JSON-RPC at `POST /`, its description at `GET /openrpc.json`, and what else the options offer.
 * Rejects with the system's error when it cannot listen there.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const limits: ServerLimits = { ...DEFAULT_SERVER_LIMITS, ...options.limits };
  const { dispatcher, metrics } = options;
  const onRefused = metrics?.onRefused ?? (() => undefined);
  const parseTurns = new ParseTurns();
  const onOpened = (): void => {
    dispatcher.noticeArrival();
    parseTurns.noteAccepted();
  };
  const notices = new RefusalNotices(options.onRequestRefused ?? (() => undefined), () => performance.now());
  const { callsPerSecondMax, unusedConnectionsPerSecond } = limits;
  const limiter =
    callsPerSecondMax === 0
      ? undefined
      : new RateLimiter({ perSecond: callsPerSecondMax }, () => onRefused('rate'));
  const admit = limiter && ((client: string) => limiter.admit(client));
  const onUnused = (message: string): void => {
    onRefused('unused');
    notices.note({ reason: 'unused', error: { message } });
  };
  const unused =
    unusedConnectionsPerSecond === 0
      ? undefined
      : new UnusedConnections({ perSecond: unusedConnectionsPerSecond }, onUnused);
  const connections = new Connections({ ...limits, admit, unused, onRefused, onOpened });
  const onOutcome = metrics?.onWaited ?? (() => undefined);
  const waits = new HeadWaits({ head: options.head, waitMs: limits.blockWaitMs, onOutcome });
  const access = accessCheck({ ...options, servesPage: options.page !== undefined });
  const onForeign = (refusal: AccessRefusal): void => notices.note(refusal);
  const webSockets = new WebSockets(dispatcher, limits, parseTurns);
  if (metrics !== undefined) metrics.server = { connections, waits, webSockets };
  const http = createHttpServer({
    ...{ dispatcher, access, connections, limits, parseTurns, onRefused, onForeign },
    routes: routesOf(options, connections, waits),
    upgrades: webSocketUpgrades(webSockets, connections, onRefused),
  });
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
      waits.close();
      closed ??= closeGracefully(http, connections, webSockets, limits.closeGraceMs);
      return closed;
    },
    unref: () => {
      http.unref();
      http.on('connection', (socket: Socket) => socket.unref());
    },
  };
}

async function closeGracefully(
  http: Server,
  connections: Connections,
  webSockets: WebSockets,
  graceMs: number,
): Promise<void> {
  const closed = once(http, 'close');
  http.close();
  webSockets.close();
  connections.closeWhenIdle();
  const deadline = setTimeout(() => connections.closeAll(), graceMs);
  try {
    await closed;
  } finally {
    clearTimeout(deadline);
  }
}
