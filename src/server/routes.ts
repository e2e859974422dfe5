import type { PageFile } from '../page/index.ts';
import {
  type Dispatcher,
  InternalError,
  InvalidRequestError,
  type ProfileId,
  type ResponseBody,
  sharedBody,
} from '../rpc/index.ts';
import { ETHEREUM_PATH, ETHEREUM_PATHS, PREFLIGHT } from './access.ts';
import { BEACON_PATH, type BeaconChain, beaconHandler } from './beacon.ts';
import { type BlockFeed, blockFeedHandler } from './block-feed.ts';
import { type HealthReport, healthHandler, metricsHandler } from './health-and-metrics.ts';
import { type Handler, JSON_TYPE, refuse } from './http-response.ts';
import type { Metrics } from './metrics/metrics.ts';
import { pageHandler, wantsPage } from './page.ts';
import { type MinBlockWaiters, rpcHandler } from './rpc-handler.ts';

/** The services of a server; without one, its path does not exist. */
export interface RouteOptions {
  readonly dispatcher: Dispatcher;
  /** Source of `GET /health`. */
  readonly health?: (() => HealthReport) | undefined;
  /** Source of `GET /metrics`, and counter of refusals. */
  readonly metrics?: Metrics | undefined;
  /** Source of `GET /blocks?from=N`; absent in test mode, whose chain no node can follow. */
  readonly blockFeed?: BlockFeed | undefined;
  /** The chain whose blobs are served by the beacon API; absent: none are. */
  readonly beacon?: BeaconChain | undefined;
  /** Files of the explorer by their paths, for browsers. */
  readonly page?: ReadonlyMap<string, () => PageFile> | undefined;
}

/** The handlers of one path by method, in the order of `Allow`, and the advice for other methods. */
interface Route {
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly hint: string;
}

/** Returns the handler of a method for a path; it refuses an unknown path or method. */
export type RouteTable = (method: string, path: string) => Handler;

export function routesOf(options: RouteOptions, waits: MinBlockWaiters): RouteTable {
  const { dispatcher, health, metrics, blockFeed, page, beacon } = options;
  const callsOf = (profile: ProfileId): Route => ({
    handlers: new Map<string, Handler>([
      ['POST', rpcHandler(dispatcher, waits, profile)],
      ['OPTIONS', () => PREFLIGHT],
    ]),
    hint: 'send requests by POST',
  });
  const calls = callsOf('ledger');
  const routes = new Map<string, Route>([
    ['/', calls],
    // The server as a whole (RFC 9112, 3.2.4).
    ['*', calls],
    ...Array.from(ETHEREUM_PATHS, (path) => [path, callsOf('ethereum')] as const),
    ['/openrpc.json', byGet(descriptionHandler(dispatcher, 'ledger'))],
    [`${ETHEREUM_PATH}/openrpc.json`, byGet(descriptionHandler(dispatcher, 'ethereum'))],
  ]);
  if (health !== undefined) routes.set('/health', byGet(healthHandler(health)));
  if (metrics !== undefined) routes.set('/metrics', byGet(metricsHandler(metrics)));
  routes.set(
    '/blocks',
    byGet(blockFeed === undefined ? refuseBlocks : blockFeedHandler(blockFeed, dispatcher)),
  );
  for (const [path, file] of page ?? []) {
    if (path === PAGE_INDEX) routes.set('/', withPage(calls, pageHandler(file)));
    else routes.set(`/${path}`, byGet(pageHandler(file)));
  }
  return (method, path) => {
    const isBeacon = beacon !== undefined && path.startsWith(BEACON_PATH);
    const route = isBeacon ? beaconRoute(path, beacon, dispatcher) : routes.get(path);
    return route === undefined
      ? refuseUnknownPath
      : (route.handlers.get(method) ?? refuseMethod(method, route));
  };
}

/** The handler is found for each request, since a test may load another chain. */
function beaconRoute(path: string, chain: BeaconChain, dispatcher: Dispatcher): Route {
  return byGet((request) => {
    const handler = beaconHandler(path.slice(BEACON_PATH.length), chain, dispatcher);
    return (handler ?? refuseUnknownPath)(request);
  });
}

/** The page that a browser gets at the path of calls. */
const PAGE_INDEX = 'index.html';

/** Adds a page for browsers to a path of calls; other clients that use GET are referred to POST. */
function withPage(calls: Route, page: Handler): Route {
  const forBrowsers =
    (method: string): Handler =>
    (request) =>
      wantsPage(request.headers) ? page(request) : refuseMethod(method, calls)(request);
  const handlers = new Map(calls.handlers);
  for (const method of ['GET', 'HEAD']) handlers.set(method, forBrowsers(method));
  return { ...calls, handlers };
}

function byGet(handler: Handler): Route {
  return {
    handlers: new Map([
      ['GET', handler],
      ['HEAD', handler],
    ]),
    hint: 'use GET',
  };
}

/** Responds with the description of a profile: the result of `rpc_discover`, which is cached once it succeeds. */
function descriptionHandler(dispatcher: Dispatcher, profile: ProfileId): Handler {
  const call = '{"jsonrpc":"2.0","id":1,"method":"rpc_discover"}';
  // A buffer that all responses share, so that slow clients hold no memory.
  let description: ResponseBody | undefined;
  return async () => {
    if (description === undefined) {
      const response = await dispatcher.handle(call, undefined, profile);
      const { result }: { result?: unknown } = JSON.parse(String(response ?? '{}'));
      if (result === undefined) return refuse(500, new InternalError());
      description = sharedBody(Buffer.from(JSON.stringify(result)));
    }
    return { status: 200, headers: { 'content-type': JSON_TYPE }, body: description };
  };
}

const refuseUnknownPath = refuseAsUnknown(
  `not found: send requests to /, and those of Ethereum's tools to ${ETHEREUM_PATH}`,
);

/** Returns the handler of a path that does not exist. */
export function refuseAsUnknown(message: string): Handler {
  return () => refuse(404, new InvalidRequestError(message));
}

/** Refuses blocks: a follower would store blocks that a test reverts, and could not continue after them. */
const refuseBlocks: Handler = () =>
  refuse(404, new InvalidRequestError('no blocks are served: a chain in test mode cannot be followed'));

function refuseMethod(method: string, { handlers, hint }: Route): Handler {
  const allow = [...handlers.keys()].join(', ');
  return () => refuse(405, new InvalidRequestError(`${method} is not served here: ${hint}`), { allow });
}

interface Target {
  readonly path: string;
  readonly query: string;
}

/** The beginning of a target in absolute form (RFC 9112, 3.2.2), which repeats the Host header. */
const ABSOLUTE = /^https?:\/\/[^/?#]*/i;
/** A path, and the query. */
const PARTS = /^([^?#]*)[?#]?(.*)$/s;

/** Splits the target of a request; undefined for malformed escapes in its path. */
export function targetOf(target: string): Target | undefined {
  const [, path = '', query = ''] = PARTS.exec(target.replace(ABSOLUTE, '')) ?? [];
  try {
    return { path: decodeURI(path) || '/', query };
  } catch {
    return undefined;
  }
}
