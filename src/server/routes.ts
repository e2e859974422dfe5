import type { PageFile } from '../page/index.ts';
import type { Dispatcher, ProfileId } from '../rpc/index.ts';
import { InvalidRequestError } from '../rpc/index.ts';
import { ETHEREUM_PATH, PREFLIGHT } from './access.ts';
import { callServer } from './answer-calls.ts';
import { type BlockFeed, blockServer } from './block-feed.ts';
import type { Connections } from './connections.ts';
import { descriptionServer } from './description.ts';
import type { HeadWaits } from './head-waits.ts';
import type { Handler } from './http-answer.ts';
import type { Metrics } from './metrics/metrics.ts';
import { pageServer, wantsPage } from './page.ts';
import { refuse } from './refusals.ts';
import { type HealthReport, healthServer, metricsServer } from './watching.ts';

/** What is served at which path; a path whose part is absent is answered like one that there is not. */
export interface RouteOptions {
  readonly dispatcher: Dispatcher;
  /** Answers `GET /health`; absent: nobody can ask. */
  readonly health?: (() => HealthReport) | undefined;
  /** Answers `GET /metrics`, and counts what the server refuses; absent: nobody counts. */
  readonly metrics?: Metrics | undefined;
  /** Answers `GET /blocks?from=N`; absent: nobody can follow, as in test mode. */
  readonly blockFeed?: BlockFeed | undefined;
  /** The files of the explorer by their paths, which browsers get; absent: there is no page. */
  readonly page?: ReadonlyMap<string, PageFile> | undefined;
}

/** One path: its methods, in the order in which they are offered, and how to ask instead. */
interface Route {
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly hint: string;
}

/** The table of what is served where. */
export interface Routes {
  /** What answers a method for a path: the response may be that there is nothing, or not by that method. */
  handlerOf(method: string, path: string): Handler;
}

/** Prepares the table of what is served where. */
export function routesOf(options: RouteOptions, connections: Connections, waits: HeadWaits): Routes {
  const { dispatcher, health, metrics, blockFeed, page } = options;
  const callsOf = (profile: ProfileId): Route => ({
    handlers: new Map<string, Handler>([
      ['POST', callServer({ dispatcher, connections, waits }, profile)],
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
    ['/openrpc.json', byGet(descriptionServer(dispatcher, 'ledger'))],
    [`${ETHEREUM_PATH}/openrpc.json`, byGet(descriptionServer(dispatcher, 'ethereum'))],
  ]);
  if (health !== undefined) routes.set('/health', byGet(healthServer(health)));
  if (metrics !== undefined) routes.set('/metrics', byGet(metricsServer(metrics)));
  const feed = blockFeed === undefined ? refuseBlocks : blockServer(blockFeed, dispatcher, connections);
  routes.set('/blocks', byGet(feed));
  for (const [path, file] of page ?? []) {
    if (path === PAGE_INDEX) routes.set('/', withPage(calls, pageServer(file)));
    else routes.set(`/${path}`, byGet(pageServer(file)));
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

/** The file that a browser gets where others send their requests. */
const PAGE_INDEX = 'index.html';

/** A path of calls that shows browsers a page; whoever else asks by GET hears what holds for the calls. */
function withPage(calls: Route, page: Handler): Route {
  const forBrowsers =
    (method: string): Handler =>
    (request) =>
      wantsPage(request.headers) ? page(request) : refuseMethod(method, calls)(request);
  const handlers = new Map(calls.handlers);
  for (const method of ['GET', 'HEAD']) handlers.set(method, forBrowsers(method));
  return { ...calls, handlers };
}

/** What is got; Node leaves the body out where only the head is asked for. */
function byGet(handler: Handler): Route {
  return {
    handlers: new Map([
      ['GET', handler],
      ['HEAD', handler],
    ]),
    hint: 'ask by GET',
  };
}

const refuseNowhere: Handler = () => refuse(404, new InvalidRequestError('not found: send requests to /'));

/** A follower would keep blocks that a test takes back, and could not go on behind them. */
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

/** The beginning of a target in absolute form (RFC 9112, 3.2.2): the Host header says the same. */
const ABSOLUTE = /^https?:\/\/[^/?#]*/i;
/** A path, and what follows it. */
const PARTS = /^([^?#]*)[?#]?(.*)$/s;

/** Takes the target of a request apart; undefined where the escapes in its path are none. */
export function targetOf(target: string): Target | undefined {
  const [, path = '', query = ''] = PARTS.exec(target.replace(ABSOLUTE, '')) ?? [];
  try {
    return { path: decodeURI(path) || '/', query };
  } catch {
    return undefined;
  }
}
