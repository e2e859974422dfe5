import { createServer, type Server } from 'node:net';
import { availableParallelism } from 'node:os';
import { BoundedMap } from '../../caching/bounded-map.ts';
import { BodyScheduler } from '../body-scheduler.ts';
import { BusyPolling, IdleWatch } from './event-loop.ts';
import { HttpConnection } from './http-connection.ts';
import { type HttpOptions, RequestPlans } from './request-plans.ts';
import { ResponseWriter } from './response-writer.ts';

/** Local addresses for which heads are cached. */
const CACHED_ADDRESSES_MAX = 64;

/** Creates a server of HTTP/1.1, which does not listen yet. */
export function createHttpServer(options: HttpOptions): Server {
  const { dispatcher, connections, limits, parseScheduler } = options;
  const { headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs, stalledTimeoutMs } = limits;
  const watch = new IdleWatch(Math.min(headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs));
  const writer = new ResponseWriter(keepAliveTimeoutMs, stalledTimeoutMs);
  dispatcher.beforeRounds(writer.writeReady);
  options.chains?.onOpened((chain) => chain.beforeRounds(writer.writeReady));
  parseScheduler.beforeTasks(writer.writeReady);
  // On a single processor polling would prevent the client from sending.
  const polls = limits.busyPollMicroseconds > 0 && availableParallelism() > 1;
  const service = {
    ...options,
    // A request contains its head.
    limits: { ...limits, headersTimeoutMs: Math.min(headersTimeoutMs, requestTimeoutMs) },
    watch,
    writer,
    bodyScheduler: new BodyScheduler(),
    polling: polls ? new BusyPolling(limits.busyPollMicroseconds) : undefined,
  };
  const plansAt = new BoundedMap<string, RequestPlans>(CACHED_ADDRESSES_MAX);
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const connection = connections.open(socket);
    if (connection === undefined) return;
    const { localAddress = '' } = socket;
    const plans = plansAt.get(localAddress) ?? new RequestPlans(localAddress, options);
    plansAt.set(localAddress, plans);
    new HttpConnection(service, plans, connection, socket);
  });
  return server.on('close', () => watch.close());
}
