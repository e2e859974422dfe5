import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { SLOW_CLIENT_CHECK_MS_MAX, UNACCEPTED_CONNECTIONS_MAX } from '../limits.ts';
import { invariant } from '../protocol/index.ts';
import { type AccessRefusal, type AccessRules, accessCheck } from './access.ts';
import { Connections } from './connections.ts';
import { serveDirectly } from './direct/direct-server.ts';
import { HeadWaits, type ServedHead } from './head-waits.ts';
import { HttpGate } from './http-gate.ts';
import { LongAnswers } from './long-answers.ts';
import { LongBodies } from './long-bodies.ts';
import type { RefusalReason } from './metrics/metrics.ts';
import { ParseTurns } from './parse-turns.ts';
import { RateLimiter } from './rate-limiter.ts';
import { type RefusalNotice, RefusalNotices } from './refusal-notices.ts';
import type { RouteOptions } from './routes.ts';
import { type ServingParts, serveRequests } from './serve-requests.ts';
import { DEFAULT_SERVER_LIMITS, type ServerLimits } from './server-limits.ts';
import { UnusedConnections } from './unused-connections.ts';
import { serveUpgrades } from './websocket/upgrades.ts';
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
  /** Whether requests in the usual form are served straight from the socket; yes by default, and always in a node. */
  readonly isDirect?: boolean | undefined;
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
  const http = createHttpServer(limits);
  const admit = rateLimit(limits, onRefused);
  const parseTurns = new ParseTurns();
  const onOpened = (): void => {
    dispatcher.noticeArrival();
    parseTurns.noteAccepted();
  };
  const notices = new RefusalNotices(options.onRequestRefused ?? (() => undefined), () => performance.now());
  const unused = unusedLimit(limits, (message) => {
    onRefused('unused');
    notices.note({ reason: 'unused', error: { message } });
  });
  const connections = new Connections({ ...limits, admit, unused, onRefused, onOpened });
  metrics?.watchConnections(connections);
  const onOutcome = metrics?.onWaited ?? (() => undefined);
  const waits = new HeadWaits({ head: options.head, waitMs: limits.blockWaitMs, onOutcome });
  metrics?.watchWaits(waits);
  const access = accessCheck({ ...options, servesPage: options.page !== undefined });
  const onForeign = (refusal: AccessRefusal): void => notices.note(refusal);
  const longAnswers = new LongAnswers();
  const longBodies = new LongBodies();
  const gate = new HttpGate(connections, parseTurns);
  const parts: ServingParts = {
    ...{ access, connections, waits, limits, longAnswers, longBodies, gate, parseTurns },
    ...{ onRefused, onForeign },
  };
  serveRequests(http, options, parts);
  const webSockets = new WebSockets(dispatcher, limits, parseTurns);
  metrics?.watchWebSockets(webSockets);
  // A server that listens to such requests gets all of them.
  const ordinary = createHttpServer(limits);
  serveRequests(ordinary, options, parts);
  const serveOrdinarily = (socket: Socket): void => void ordinary.emit('connection', socket);
  for (const server of [http, ordinary]) gate.guard(server);
  serveUpgrades(http, { ...parts, webSockets, serveOrdinarily });
  if (options.isDirect !== false) {
    const { mayName } = access;
    serveDirectly(http, { dispatcher, connections, waits, limits, longAnswers, parseTurns, mayName });
  }
  // Before all other listeners: what is not taken in reaches none of them.
  http.prependListener('connection', (socket: Socket) => connections.open(socket));
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

function createHttpServer(limits: ServerLimits): Server {
  // A request is its headers at least.
  const headersTimeout = Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs);
  const server = createServer({
    headersTimeout,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    maxHeaderSize: limits.headerBytesMax,
    // The check of access answers a request without one.
    requireHostHeader: false,
    // How often the first two time-outs are looked at.
    connectionsCheckingInterval: Math.min(Math.ceil(headersTimeout / 2), SLOW_CLIENT_CHECK_MS_MAX),
  });
  // A client that sends no more may still be answered: Node's server has a field for that, which it does not describe.
  Object.assign(server, { httpAllowHalfOpen: true });
  // A client that does not read its response.
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
  return (client: string) => limiter.admit(client);
}

/** Bounds the connections of each client that end without a whole request, where there is such a bound. */
function unusedLimit(
  { unusedConnectionsPerSecond: perSecond }: ServerLimits,
  onRefused: (message: string) => void,
) {
  return perSecond === 0
    ? undefined
    : new UnusedConnections({ perSecond, now: () => performance.now(), onRefused });
}
