import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import { invariant } from '../protocol/index.ts';
import { OTHER_METHOD } from '../rpc/index.ts';
import { type AccessRefusal, type AccessRules, accessCheck } from './access.ts';
import { ChainRoutes, type ChainSource, chainPathOf, isChainPath, type ServedChain } from './chain-routes.ts';
import { Connections } from './connections.ts';
import { createHttpServer } from './http/serve-http.ts';
import { LISTEN_BACKLOG, listenAtPath } from './ipc/listen.ts';
import type { RefusalReason } from './metrics/metrics.ts';
import { MinBlockWaiters } from './min-block-waiters.ts';
import { ParseScheduler } from './parse-scheduler.ts';
import { RateLimiter, UnusedConnectionLimiter } from './rate-limiter.ts';
import { type RouteTable, refuseAsUnknown, routesOf } from './routes.ts';
import { DEFAULT_SERVER_LIMITS, type ServerLimits } from './server-limits.ts';
import { WebSockets } from './websocket/web-sockets.ts';

/** Milliseconds between two lines of the node's log about requests that were refused for the same reason. */
export const REFUSAL_NOTICE_MS = 10_000;

export interface ServerOptions extends AccessRules, ServedChain {
  /** Source of further chains, below `/chain/`; absent: there are none. */
  readonly chains?: ChainSource | undefined;
  /** 0 for a port that the system chooses. */
  readonly port: number;
  /** Path of a Unix socket that serves the profile at `/`, too; absent: none. */
  readonly ipc?: string | undefined;
  /** Receives notices of refused requests and connections, at most one per reason in 10 s. */
  readonly onRequestRefused?: ((notice: RefusalNotice) => void) | undefined;
  /** Receives exceptions outside of the methods, which clients see as internal errors. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
  /** Overrides of the default bounds. */
  readonly limits?: Partial<ServerLimits> | undefined;
}

export interface RunningServer {
  /** Its address, such as `http://127.0.0.1:8545`. */
  readonly url: string;
  readonly port: number;
  /** Stops listening, closes idle connections and waits for requests in flight, up to `closeGraceMs`. */
  close(): Promise<void>;
  /** Lets the process end while the server listens: `unref` of the server and its connections. */
  unref(): void;
}

/**
 * Starts serving JSON-RPC by POST at `/`, `/ledger` and `/ethereum`, with its description at `GET /openrpc.json`, and
 * the other services of the options.
 * Rejects with the system's error if it cannot listen at the address, and with an IpcError for its Unix socket.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const limits: ServerLimits = { ...DEFAULT_SERVER_LIMITS, ...options.limits };
  const { dispatcher, metrics } = options;
  const onRefused = metrics?.onRefused ?? (() => undefined);
  const parseScheduler = new ParseScheduler();
  const onOpened = (): void => {
    dispatcher.noticeArrival();
    chains?.noticeArrival();
    parseScheduler.noteAccepted();
  };
  const notices = new RefusalNotices(options.onRequestRefused ?? (() => undefined), () => performance.now());
  const { callsPerSecondMax, unusedConnectionsPerSecond } = limits;
  const limiter = new RateLimiter({ perSecond: callsPerSecondMax }, () => onRefused('rate'));
  const admit = callsPerSecondMax === 0 ? undefined : (client: string) => limiter.admit(client);
  const onUnused = (message: string): void => {
    onRefused('unused');
    notices.note({ reason: 'unused', error: { message } });
  };
  const unused =
    unusedConnectionsPerSecond === 0
      ? undefined
      : new UnusedConnectionLimiter({ perSecond: unusedConnectionsPerSecond }, onUnused);
  const connections = new Connections({ ...limits, admit, unused, onRefused, onOpened });
  const onOutcome = metrics?.onWaited ?? (() => undefined);
  const waits = new MinBlockWaiters({ head: options.head, waitMs: limits.blockWaitMs, onOutcome });
  const chains =
    options.chains &&
    new ChainRoutes({ source: options.chains, routesOf, waitMs: limits.blockWaitMs, onOutcome });
  const access = accessCheck({ ...options, servesPage: options.page !== undefined });
  const onForeign = (refusal: AccessRefusal): void => notices.note(refusal);
  const onFailure = (error: unknown): void => {
    metrics?.onCall(OTHER_METHOD, 'failed', 0);
    options.onFailure?.(error);
  };
  const webSockets = new WebSockets({
    dispatcher,
    chains,
    connections,
    limits,
    parseScheduler,
    onRefused,
    root: options.root,
  });
  if (metrics !== undefined) metrics.server = { connections, waits, webSockets };
  const http = createHttpServer({
    dispatcher,
    access,
    connections,
    limits,
    parseScheduler,
    onRefused,
    onForeign,
    onFailure,
    handlerOf: withChains(routesOf(options, waits), chains),
    chains,
    upgrades: webSockets,
  });
  const ipc = options.ipc && (await listenAtPath(options.ipc, (socket) => webSockets.openStream(socket)));
  http.listen({ host: options.host, port: options.port, backlog: LISTEN_BACKLOG });
  try {
    await once(http, 'listening');
  } catch (error) {
    if (ipc) ipc.close();
    throw error;
  }
  const servers = ipc ? [http, ipc] : [http];

  const address = http.address();
  invariant(typeof address === 'object' && address !== null, 'a server that listens has an address and port');
  const { port } = address;
  let closed: Promise<void> | undefined;
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    port,
    close: () => {
      waits.close();
      chains?.close();
      closed ??= closeGracefully(servers, connections, webSockets, limits.closeGraceMs);
      return closed;
    },
    unref: () => {
      for (const server of servers) {
        server.unref();
        server.on('connection', (socket: Socket) => socket.unref());
      }
    },
  };
}

/** Adds the paths of further chains to those of a chain. */
function withChains(handlerOf: RouteTable, chains: ChainRoutes | undefined): RouteTable {
  if (chains === undefined) return handlerOf;
  return (method, path, headers) => {
    if (!isChainPath(path)) return handlerOf(method, path, headers);
    const below = chainPathOf(path);
    return below === undefined ? refuseUnknownChain : chains.handlerOf(method, below);
  };
}

const refuseUnknownChain = refuseAsUnknown(
  'not found: further chains are at /chain/N, /chain/N/ledger and /chain/N/ethereum, with N from 1 to 999999999, ' +
    'without leading zeros',
);

async function closeGracefully(
  servers: readonly Server[],
  connections: Connections,
  webSockets: WebSockets,
  graceMs: number,
): Promise<void> {
  const closed = Promise.all(servers.map((server) => once(server, 'close')));
  for (const server of servers) server.close();
  webSockets.close();
  connections.closeWhenIdle();
  const deadline = setTimeout(() => connections.closeAll(), graceMs);
  try {
    await closed;
  } finally {
    clearTimeout(deadline);
  }
}

export interface RefusalNotice {
  /** The reason, and the setting that would allow the request. */
  readonly message: string;
  /** Refusals for the same reason since the last notice. */
  readonly others: number;
}

/** Reports refused requests, at most one per reason in 10 s, so that they cannot fill the node's log. */
export class RefusalNotices {
  readonly #report: (notice: RefusalNotice) => void;
  readonly #now: () => number;
  readonly #last = new Map<RefusalReason, { readonly at: number; others: number }>();

  /** @param now returns the milliseconds of a monotonic clock */
  constructor(report: (notice: RefusalNotice) => void, now: () => number) {
    this.#report = report;
    this.#now = now;
  }

  note({ reason, error }: { readonly reason: RefusalReason; readonly error: { message: string } }): void {
    const at = this.#now();
    const before = this.#last.get(reason);
    if (before !== undefined && at - before.at < REFUSAL_NOTICE_MS) {
      before.others += 1;
      return;
    }
    this.#last.set(reason, { at, others: 0 });
    this.#report({ message: error.message, others: before?.others ?? 0 });
  }
}
