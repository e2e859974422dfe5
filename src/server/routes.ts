import type { PageFile } from '../page/index.ts';
import {
  type Dispatcher,
  InternalError,
  InvalidRequestError,
  ownBody,
  type ProfileId,
  type ResponseBody,
} from '../rpc/index.ts';
import { ETHEREUM_PATH, PREFLIGHT } from './access.ts';
import { type BlockFeed, blockFeedHandler } from './block-feed.ts';
import { type HealthReport, healthHandler, metricsHandler } from './health-and-metrics.ts';
import { type Handler, JSON_TYPE, refuse } from './http-response.ts';
import type { Metrics } from './metrics/metrics.ts';
import { pageHandler, wantsPage } from './page.ts';
import { type MinBlockWaiters, rpcHandler } from './rpc-handler.ts';

/** The parts that a server serves; the path of an absent one does not exist. */
export interface RouteOptions {
  readonly dispatcher: Dispatcher;
  /** Source of `GET /health`. */
  readonly health?: (() => HealthReport) | undefined;
  /** Source of `GET /metrics`, and counter of refusals. */
  readonly metrics?: Metrics | undefined;
  /** Source of `GET /blocks?from=N`; absent in test mode, where nobody can follow. */
  readonly blockFeed?: BlockFeed | undefined;
  /** Files of the explorer by their paths, for browsers. */
  readonly page?: ReadonlyMap<string, PageFile> | undefined;
}

/** One path: its methods, in the order of `Allow`, and the advice for other methods. */
interface Route {
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly hint: string;
}

/** The table of all paths. */
export interface Routes {
  /** Returns the handler of a method for a path; it refuses an unknown path or method. */
  handlerOf(method: string, path: string): Handler;
}

/** Prepares the table of all paths. */
export function routesOf(options: RouteOptions, waits: MinBlockWaiters): Routes {
  const { dispatcher, health, metrics, blockFeed, page } = options;
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
    [ETHEREUM_PATH, callsOf('ethereum')],
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
  return {
    handlerOf: (method, path) => {
      const route = routes.get(path);
      return route === undefined
        ? refuseNowhere
        : (route.handlers.get(method) ?? refuseMethod(method, route));
    },
  };
}

/** The file that a browser gets at the path of calls. */
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
    hint: 'ask by GET',
  };
}

/**
 * Prepares the response to GET for the description of a profile: the result of `rpc_discover`, which is called once; a
 * failed call is repeated for the next request.
 */
function descriptionHandler(dispatcher: Dispatcher, profile: ProfileId): Handler {
  const call = '{"jsonrpc":"2.0","id":1,"method":"rpc_discover"}';
  // Bytes, which all slow clients share.
  let description: ResponseBody | undefined;
  return async () => {
    if (description === undefined) {
      const response = await dispatcher.handle(call, undefined, profile);
      const { result }: { result?: unknown } = JSON.parse(String(response ?? '{}'));
      if (result === undefined) return refuse(500, new InternalError());
      description = ownBody(Buffer.from(JSON.stringify(result)));
    }
    return { status: 200, fields: { 'content-type': JSON_TYPE }, body: description };
  };
}

const refuseNowhere: Handler = () => refuse(404, new InvalidRequestError('not found: send requests to /'));

/** Refuses blocks: a follower would keep those that a test reverts, and could not continue behind them. */
const refuseBlocks: Handler = () =>
  refuse(404, new InvalidRequestError('no blocks are served: a chain in test mode cannot be followed'));

function refuseMethod(method: string, { handlers, hint }: Route): Handler {
  const allow = [...handlers.keys()].join(', ');
  return () => refuse(405, new InvalidRequestError(`${method} is not served here: ${hint}`), { allow });
}

interface Target {
  /** Without escapes. */
  readonly path: string;
  readonly query: string;
}

/** The beginning of a target in absolute form (RFC 9112, 3.2.2), which repeats the Host header. */
const ABSOLUTE = /^https?:\/\/[^/?#]*/i;
/** A path and the rest. */
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
