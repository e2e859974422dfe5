import type { PageFile } from '../page/index.ts';
import {
  type Dispatcher,
  InternalError,
  InvalidRequestError,
  type ProfileId,
  type ResponseBody,
  sharedBody,
} from '../rpc/index.ts';
import { PREFLIGHT } from './access.ts';
import { BEACON_PATH, type BeaconChain, beaconHandler } from './beacon.ts';
import { type HealthReport, healthHandler, metricsHandler } from './health-and-metrics.ts';
import { type Handler, JSON_TYPE, type RequestHeaders, refuse } from './http-response.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { MinBlockWaiters } from './min-block-waiters.ts';
import { pageHandler, wantsPage } from './page.ts';
import { PROFILE_PATHS, profilePaths } from './profile-paths.ts';
import { rpcHandler } from './rpc-handler.ts';
import { type BlockFeed, blockFeedHandler, type Followers } from './serve-blocks.ts';
import { isForm } from './verification/request-body.ts';
import type { VerificationRoutes } from './verification/verification-routes.ts';

/** The services of a server; without one, its path does not exist. */
export interface RouteOptions {
  readonly dispatcher: Dispatcher;
  /** The profile at `/`. */
  readonly root: ProfileId;
  /** Source of `GET /health`. */
  readonly health?: (() => HealthReport) | undefined;
  /** Source of `GET /metrics`, and counter of refusals. */
  readonly metrics?: Metrics | undefined;
  /** Source of `GET /blocks?from=N`; absent in test mode, whose chain no node can follow. */
  readonly blockFeed?: BlockFeed | undefined;
  /** Notes the nodes that ask for blocks; absent: they are not counted. */
  readonly followers?: Followers | undefined;
  /** The chain whose blobs are served by the beacon API; absent: none are. */
  readonly beacon?: BeaconChain | undefined;
  /** The interfaces by which tools verify contracts; absent: they do not exist. */
  readonly verification?: VerificationRoutes | undefined;
  /** Files of the explorer by their paths, for browsers. */
  readonly page?: ReadonlyMap<string, () => PageFile> | undefined;
}

/** The handlers of one path by method, in the order of `Allow`, and the advice for other methods. */
interface Route {
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly hint: string;
}

/** Returns the handler of a method for a path; it refuses an unknown path or method. */
export type RouteTable = (method: string, path: string, headers?: RequestHeaders) => Handler;

export function routesOf(options: RouteOptions, waits: MinBlockWaiters): RouteTable {
  const { dispatcher, root, health, metrics, blockFeed, followers, page, beacon, verification } = options;
  const callsOf = (profile: ProfileId): Route => ({
    handlers: new Map<string, Handler>([
      ['POST', rpcHandler(dispatcher, waits, profile)],
      ['OPTIONS', () => PREFLIGHT],
    ]),
    hint: 'send requests by POST',
  });
  const calls = { ledger: callsOf('ledger'), ethereum: callsOf('ethereum') };
  const descriptions = {
    ledger: byGet(descriptionHandler(dispatcher, 'ledger')),
    ethereum: byGet(descriptionHandler(dispatcher, 'ethereum')),
  };
  const routes = new Map<string, Route>([
    // The server as a whole (RFC 9112, 3.2.4).
    ['*', calls[root]],
    ...Array.from(profilePaths(root), ([path, profile]) => [path, calls[profile]] as const),
    ['/openrpc.json', descriptions[root]],
    [`${PROFILE_PATHS.ledger}/openrpc.json`, descriptions.ledger],
    [`${PROFILE_PATHS.ethereum}/openrpc.json`, descriptions.ethereum],
  ]);
  if (health !== undefined) routes.set('/health', byGet(healthHandler(health)));
  if (metrics !== undefined) routes.set('/metrics', byGet(metricsHandler(metrics)));
  routes.set(
    '/blocks',
    byGet(blockFeed === undefined ? refuseBlocks : blockFeedHandler(blockFeed, dispatcher, followers)),
  );
  for (const [path, file] of page ?? []) {
    if (path === PAGE_INDEX) routes.set('/', withPage(calls[root], pageHandler(file)));
    else routes.set(`/${path}`, byGet(pageHandler(file)));
  }
  return (method, path, headers = {}) => {
    const post = routes.get(path)?.handlers.get(method);
    if (post !== undefined && method === 'POST' && path === '/' && isForm(headers)) {
      return verification?.withForms(post) ?? post;
    }
    const isBeacon = beacon !== undefined && path.startsWith(BEACON_PATH);
    const route = isBeacon
      ? beaconRoute(path, beacon, dispatcher)
      : (routes.get(path) ?? verificationRoute(path, verification));
    return route === undefined
      ? path.includes(SOURCIFY_PATH)
        ? refuseOtherBase
        : refuseUnknownPath
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

function verificationRoute(path: string, verification: VerificationRoutes | undefined): Route | undefined {
  const handlers = verification?.handlersOf(path);
  if (handlers === undefined) return undefined;
  return {
    handlers: new Map([...handlers, ['OPTIONS', () => PREFLIGHT]]),
    hint: `use ${[...handlers.keys()].join(' or ')}`,
  };
}

/** The path of Sourcify's interface, which tools add to the URL of a verifier. */
const SOURCIFY_PATH = 'v2/verify/';
const refuseOtherBase = refuseAsUnknown(
  'not found: the URL of the verifier has to be that of this node without a path, and its chain in test mode',
);

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
  `not found: send native requests to ${PROFILE_PATHS.ledger}, those of Ethereum's tools to ${PROFILE_PATHS.ethereum}`,
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
