import { createServer, type Server } from 'node:net';
import { availableParallelism } from 'node:os';
import { BoundedMap } from '../../bounded-map.ts';
import { KNOWN_ADDRESSES_MAX } from '../../limits.ts';
import { type Dispatcher, InvalidRequestError } from '../../rpc/index.ts';
import { type AccessCheck, type AccessRefusal, originFields } from '../access.ts';
import type { Connections } from '../connections.ts';
import type { Handler, RequestHead } from '../http-answer.ts';
import { LongAnswers } from '../long-answers.ts';
import { LongBodies } from '../long-bodies.ts';
import type { RefusalReason } from '../metrics/metrics.ts';
import type { ParseTurns } from '../parse-turns.ts';
import { refuse } from '../refusals.ts';
import { type Routes, targetOf } from '../routes.ts';
import type { ServerLimits } from '../server-limits.ts';
import { AnswerBatch } from './answer-batch.ts';
import { BusyPolling } from './busy-polling.ts';
import { HttpConnection, type HttpService, type Upgrades } from './http-connection.ts';
import { IdleWatch } from './idle-watch.ts';
import { type RequestPlan, RequestPlans } from './request-plans.ts';
import { ResponseWriter } from './response-writer.ts';

/** What requests pass on their way to a response. */
export interface HttpOptions {
  readonly dispatcher: Dispatcher;
  readonly access: AccessCheck;
  readonly routes: Routes;
  readonly connections: Connections;
  readonly limits: ServerLimits;
  readonly parseTurns: ParseTurns;
  readonly upgrades: Upgrades;
  readonly onRefused: (reason: RefusalReason) => void;
  /** Receives each refusal of a request whose Host or Origin is not allowed. */
  readonly onForeign: (refusal: AccessRefusal) => void;
}

/** The only protocol to which connections are upgraded (RFC 6455, 4.2.1). */
const WEB_SOCKET = 'websocket';
/** The only expectation that there is (RFC 9110, 10.1.1). */
const CONTINUE = '100-continue';

/** Prepares a server of HTTP/1.1, which has to listen. */
export function createHttpServer(options: HttpOptions): Server {
  const { dispatcher, connections, limits, parseTurns, upgrades, onRefused } = options;
  const { headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs, stalledTimeoutMs } = limits;
  const watch = new IdleWatch(Math.min(headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs));
  const batch = new AnswerBatch();
  dispatcher.beforeRounds(batch.write);
  parseTurns.beforeTurns(batch.write);
  const longAnswers = new LongAnswers();
  const service: HttpService = {
    ...{ connections, parseTurns, batch, watch, upgrades, onRefused },
    // A request is its head at least.
    limits: { ...limits, headersTimeoutMs: Math.min(headersTimeoutMs, requestTimeoutMs) },
    longBodies: new LongBodies(),
    polling: new BusyPolling(busyPollMicroseconds(limits)),
    writer: new ResponseWriter({ connections, longAnswers, keepAliveTimeoutMs, stalledTimeoutMs }),
  };
  const plansAt = new BoundedMap<string, RequestPlans>(KNOWN_ADDRESSES_MAX);
  const plansOf = (localAddress = ''): RequestPlans => {
    const known = plansAt.get(localAddress);
    if (known !== undefined) return known;
    const plans = new RequestPlans((head) => planOf(head, localAddress, options));
    plansAt.set(localAddress, plans);
    return plans;
  };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    connections.open(socket);
    const connection = connections.of(socket);
    if (connection !== undefined)
      new HttpConnection(service, plansOf(socket.localAddress), connection, socket);
  });
  return server.on('close', () => watch.close());
}

/** Plans the response to a request: who sends it is looked at first, and then what it is for. */
function planOf(head: RequestHead, localAddress: string, options: HttpOptions): RequestPlan {
  const { access, routes } = options;
  const target = targetOf(head.target);
  const refused = refusalOf(head, access.refusalOf(head, localAddress), options);
  const takesBody = refused === undefined && head.method !== 'GET' && head.method !== 'HEAD';
  const hasBody = head.isChunked || head.contentLength > 0;
  return {
    head,
    handler: refused ?? routes.handlerOf(head.method, target?.path ?? ''),
    query: target?.query ?? '',
    originFields: originFields(head.headers),
    isRefused: refused !== undefined,
    takesBody,
    // The body would be taken for frames.
    isUpgrade: refused === undefined && head.upgrade === WEB_SOCKET && !hasBody,
  };
}

/** Returns the handler that refuses a request; undefined for one that may pass. */
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

/** On a single processor looking would keep the client from sending. */
function busyPollMicroseconds(limits: ServerLimits): number {
  return availableParallelism() > 1 ? limits.busyPollMicroseconds : 0;
}
