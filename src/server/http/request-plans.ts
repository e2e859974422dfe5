import type { Socket } from 'node:net';
import { BoundedMap } from '../../caching/bounded-map.ts';
import { type Dispatcher, InvalidRequestError } from '../../rpc/index.ts';
import { type AccessCheck, type AccessRefusal, originHeaders } from '../access.ts';
import type { ChainRoutes } from '../chain-routes.ts';
import type { Connection, Connections } from '../connections.ts';
import {
  type Handler,
  type HttpResponse,
  type ParseProblem,
  type RefusalContext,
  type RequestHead,
  type ResponseHeaders,
  refuse,
} from '../http-response.ts';
import type { ParseScheduler } from '../parse-scheduler.ts';
import { type RouteTable, targetOf } from '../routes.ts';
import { parseRequestHead } from './request-head.ts';

/** Bytes of a request head that is cached. */
export const CACHED_HEAD_BYTES_MAX = 2_048;
/** Cached heads for each local address. */
const CACHED_HEADS_MAX = 256;

/** The only protocol to which connections are upgraded (RFC 6455, 4.2.1). */
const WEB_SOCKET = 'websocket';
/** The only expectation that exists (RFC 9110, 10.1.1). */
const CONTINUE = '100-continue';

/** Upgrades of connections to WebSockets. */
export interface Upgrades {
  /** Returns the refusal of an upgrade; undefined if it is allowed. */
  refusalOf(head: RequestHead, connection: Connection): HttpResponse | undefined;
  /** Upgrades a connection to a WebSocket. @param rest bytes after the request */
  open(head: RequestHead, socket: Socket, rest: Buffer, connection: Connection): void;
}

/** Dependencies of HTTP connections. */
export interface HttpOptions extends RefusalContext {
  readonly dispatcher: Dispatcher;
  readonly access: AccessCheck;
  readonly handlerOf: RouteTable;
  /** Further chains; absent: there are none. */
  readonly chains?: ChainRoutes | undefined;
  readonly connections: Connections;
  readonly parseScheduler: ParseScheduler;
  readonly upgrades: Upgrades;
  /** Receives each refusal for a Host or Origin that is not allowed. */
  readonly onForeign: (refusal: AccessRefusal) => void;
  /** Receives each exception of a handler, which its client sees as an internal error. */
  readonly onFailure: (error: unknown) => void;
}

/** A planned request: all that its head and the local address of its connection determine. */
export interface RequestPlan {
  readonly head: RequestHead;
  readonly handler: Handler;
  /** The query component of the target. */
  readonly query: string;
  /** Headers of the response that let a web page read it. */
  readonly originHeaders: ResponseHeaders;
  /** True if the request is refused, whatever its body is. */
  readonly isRefused: boolean;
  /** True if the handler gets the body; else it is skipped. */
  readonly takesBody: boolean;
  readonly bodyBytesMax: number;
  /** True if the connection becomes a WebSocket. */
  readonly isUpgrade: boolean;
}

/** A cache of plans for one local address: most requests of a client have the same head. */
export class RequestPlans {
  readonly #localAddress: string;
  readonly #options: HttpOptions;
  readonly #cache = new BoundedMap<string, RequestPlan>(CACHED_HEADS_MAX);

  constructor(localAddress: string, options: HttpOptions) {
    this.#localAddress = localAddress;
    this.#options = options;
  }

  /** Returns the cached plan of a head, without the empty line that ends it; undefined for others. */
  cached(text: string): RequestPlan | undefined {
    return this.#cache.get(text);
  }

  of(text: string): RequestPlan | ParseProblem {
    const cached = this.#cache.get(text);
    if (cached !== undefined) return cached;
    const head = parseRequestHead(text);
    if (typeof head === 'string') return head;
    const plan = planOf(head, this.#localAddress, this.#options);
    const isCacheable = text.length <= CACHED_HEAD_BYTES_MAX && !plan.isRefused && !plan.isUpgrade;
    if (isCacheable) this.#cache.set(text, plan);
    return plan;
  }
}

/** Plans the response to a request. Checks the sender before the target. */
function planOf(head: RequestHead, localAddress: string, options: HttpOptions): RequestPlan {
  const target = targetOf(head.target);
  const refused = refusalOf(head, options.access(head, localAddress), options);
  const hasBody = head.isChunked || head.contentLength > 0;
  const handler = refused ?? options.handlerOf(head.method, target?.path ?? '', head.headers);
  return {
    head,
    handler,
    query: target?.query ?? '',
    originHeaders: originHeaders(head.headers),
    isRefused: refused !== undefined,
    takesBody: refused === undefined && head.method !== 'GET' && head.method !== 'HEAD',
    bodyBytesMax: Math.max(options.limits.bodyBytesMax, handler.bodyBytesMax ?? 0),
    // A body would be read as frames.
    isUpgrade: refused === undefined && head.upgrade === WEB_SOCKET && !hasBody,
  };
}

/** Returns the handler that refuses a request; undefined for an allowed one. */
function refusalOf(
  head: RequestHead,
  refusal: AccessRefusal | undefined,
  { onRefused, onForeign }: HttpOptions,
): Handler | undefined {
  if (refusal !== undefined) {
    return () => {
      onRefused(refusal.reason);
      if (refusal.reason !== 'malformed') onForeign(refusal);
      return { ...refuse(refusal.status, refusal.error), closes: head.upgrade === WEB_SOCKET };
    };
  }
  const refuseWith = (status: number, message: string): Handler => {
    return () => {
      onRefused('malformed');
      return refuse(status, new InvalidRequestError(message));
    };
  };
  if (targetOf(head.target) === undefined) return refuseWith(400, 'the request could not be read');
  if (head.expectation === undefined || head.expectation === CONTINUE) return undefined;
  return refuseWith(417, `the only expectation that is met is ${CONTINUE}`);
}
