import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { BoundedMap } from '../../bounded-map.ts';
import { DIRECT_ADDRESSES_MAX } from '../../limits.ts';
import { invariant } from '../../protocol/index.ts';
import type { Dispatcher } from '../../rpc/index.ts';
import type { Connections } from '../connections.ts';
import type { HeadWaits } from '../head-waits.ts';
import type { LongAnswers } from '../long-answers.ts';
import type { ParseTurns } from '../parse-turns.ts';
import type { ServerLimits } from '../server-limits.ts';
import { AnswerBatch } from './answer-batch.ts';
import { AnswerHeads } from './answer-head.ts';
import { BusyPolling } from './busy-polling.ts';
import { CommonRequests } from './common-request.ts';
import { DirectConnection, type DirectService } from './direct-connection.ts';
import { IdleWatch } from './idle-watch.ts';

/** What the direct way of requests shares with the full server, so that both keep the same bounds. */
export interface DirectOptions {
  readonly dispatcher: Dispatcher;
  readonly connections: Connections;
  readonly waits: HeadWaits;
  readonly limits: ServerLimits;
  readonly longAnswers: LongAnswers;
  readonly parseTurns: ParseTurns;
  /** Whether the Host header may name a host where a connection came in at an address. */
  mayName(host: string, localAddress: string | undefined): boolean;
}

/** What a client that stops within a request has done wrong, as the parser of HTTP calls it. */
const CUT_OFF = Object.assign(new SyntaxError('the request ends too early'), {
  code: 'HPE_INVALID_EOF_STATE',
});

/**
 * Serves the connections of an HTTP server without it for as long as their requests have the common form: most of
 * what a small read costs is the work of a full HTTP server. Whatever has any other form reaches that server as it
 * was sent.
 */
export function serveDirectly(http: Server, options: DirectOptions): void {
  const { dispatcher, connections, waits, limits, longAnswers, parseTurns, mayName } = options;
  const [listener] = http.listeners('connection');
  invariant(listener !== undefined, 'an HTTP server listens to its connections');
  const toHttp = listener as (this: Server, socket: Socket) => void;
  const { headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs, stalledTimeoutMs } = limits;
  const watch = new IdleWatch(
    Math.min(headersTimeoutMs / 2, requestTimeoutMs / 2, keepAliveTimeoutMs, stalledTimeoutMs),
  );
  http.on('close', () => watch.close());
  const batch = new AnswerBatch();
  dispatcher.beforeRounds(batch.write);
  parseTurns.beforeTurns(batch.write);
  const service: DirectService = {
    dispatcher,
    connections,
    waits,
    limits,
    heads: new AnswerHeads(limits.keepAliveTimeoutMs, () => waits.head),
    batch,
    longAnswers,
    parseTurns,
    watch,
    polling: new BusyPolling(busyPollMicroseconds(limits)),
    handOver: (socket) => {
      toHttp.call(http, socket);
      socket.resume();
    },
    refuseUnfinished: (socket) => http.emit('clientError', CUT_OFF, socket),
  };
  const requestsAt = new BoundedMap<string, CommonRequests>(DIRECT_ADDRESSES_MAX);
  const requestsOf = (localAddress: string | undefined): CommonRequests => {
    const known = requestsAt.get(localAddress ?? '');
    if (known !== undefined) return known;
    const rules = { ...limits, mayName: (host: string) => mayName(host, localAddress) };
    const requests = new CommonRequests(rules);
    requestsAt.set(localAddress ?? '', requests);
    return requests;
  };
  http.off('connection', toHttp);
  http.on('connection', (socket: Socket) => {
    const connection = connections.of(socket);
    if (connection === undefined) return;
    new DirectConnection(service, requestsOf(socket.localAddress), connection, socket);
  });
}

/** On a single processor looking would keep the client from sending. */
function busyPollMicroseconds(limits: ServerLimits): number {
  return availableParallelism() > 1 ? limits.busyPollMicroseconds : 0;
}
