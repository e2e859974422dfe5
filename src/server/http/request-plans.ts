import type { Socket } from 'node:net';
import { BoundedMap } from '../../bounded-map.ts';
import { CACHED_HEAD_BYTES_MAX, CACHED_HEADS_MAX } from '../../limits.ts';
import { type Dispatcher, InvalidRequestError } from '../../rpc/index.ts';
import { type AccessCheck, type AccessRefusal, originHeaders } from '../access.ts';
import type { Connection, Connections } from '../connections.ts';
import {
  type Fields,
  type Handler,
  type HttpResponse,
  type ParseProblem,
  type RefusalContext,
  type RequestHead,
  refuse,
} from '../http-response.ts';
import type { ParseScheduler } from '../parse-scheduler.ts';
import { type Routes, targetOf } from '../routes.ts';
import { parseRequestHead } from './request-head.ts';

/** The only protocol to which connections are upgraded (RFC 6455, 4.2.1). */
const WEB_SOCKET = 'websocket';
/** The only expectation that exists (RFC 9110, 10.1.1). */
const CONTINUE = '100-continue';

/** Upgrades of connections to WebSockets. */
export interface Upgrades {
  /** Returns the response to a request that gets no WebSocket; undefined for one that does. */
  refusalOf(head: RequestHead, connection: Connection): HttpResponse | undefined;
  /** Makes a WebSocket of a connection. @param rest bytes behind the request */
  open(head: RequestHead, socket: Socket, rest: Buffer, connection: Connection): void;
}

/** The parts of a server that its HTTP needs. */
export interface HttpOptions extends RefusalContext {
  readonly dispatcher: Dispatcher;
  readonly access: AccessCheck;
  readonly routes: Routes;
  readonly connections: Connections;
  readonly parseScheduler: ParseScheduler;
  readonly upgrades: Upgrades;
  /** Receives each refusal of a request whose Host or Origin is not allowed. */
  readonly onForeign: (refusal: AccessRefusal) => void;
}

/** Everything that follows from the head of a request and from the local address of its connection. */
export interface RequestPlan {
  readonly head: RequestHead;
  readonly handler: Handler;
  /** The query behind the path's `?`. */
  readonly query: string;
  /** Fields of the response that let a web page read it. */
  readonly originHeaders: Fields;
  /** True if the request is refused, whatever its body is. */
  readonly isRefused: boolean;
  /** True if the body is for the handler; else it is skipped. */
  readonly takesBody: boolean;
  /** True if the connection becomes a WebSocket. */
  readonly isUpgrade: boolean;
}

/** Plans of the requests at one local address. The heads of a client are mostly alike, so plans are remembered. */
export class RequestPlans {
  readonly #localAddress: string;
  readonly #options: HttpOptions;
  readonly #known = new BoundedMap<string, RequestPlan>(CACHED_HEADS_MAX);

  constructor(localAddress: string, options: HttpOptions) {
    this.#localAddress = localAddress;
    this.#options = options;
  }

  /** Returns the plan for a head that was read before, without the empty line that ends it; undefined for others. */
  known(text: string): RequestPlan | undefined {
    return this.#known.get(text);
  }

  of(text: string): RequestPlan | ParseProblem {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const head = parseRequestHead(text);
    if (typeof head === 'string') return head;
    const plan = planOf(head, this.#localAddress, this.#options);
    const isKept = text.length <= CACHED_HEAD_BYTES_MAX && !plan.isRefused && !plan.isUpgrade;
    if (isKept) this.#known.set(text, plan);
    return plan;
  }
}

/** Plans the response to a request: its sender is checked first, and then its target. */
function planOf(head: RequestHead, localAddress: string, options: HttpOptions): RequestPlan {
  const target = targetOf(head.target);
  const refused = refusalOf(head, options.access.refusalOf(head, localAddress), options);
  const hasBody = head.isChunked || head.contentLength > 0;
  return {
    head,
    handler: refused ?? options.routes.handlerOf(head.method, target?.path ?? ''),
    query: target?.query ?? '',
    originHeaders: originHeaders(head.headers),
    isRefused: refused !== undefined,
    takesBody: refused === undefined && head.method !== 'GET' && head.method !== 'HEAD',
    // The body would be taken for frames.
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
