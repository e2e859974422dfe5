import type { IncomingMessage, Server } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Dispatcher, RequestFailedError } from '../rpc/index.ts';
import { type AccessCheck, type AccessRules, allowOrigin, answerPreflight } from './access.ts';
import { callServer } from './answer-calls.ts';
import { type BlockFeed, blockServer } from './block-feed.ts';
import type { Connections } from './connections.ts';
import { descriptionServer } from './description.ts';
import type { Metrics, RefusalReason } from './metrics/metrics.ts';
import { readBody } from './read-body.ts';
import { type RefusalContext, refuse, refuseBroken, refuseConnection, refuseRoute } from './refusals.ts';
import type { ServerLimits } from './server-limits.ts';
import { type HealthReport, healthServer, metricsServer } from './watching.ts';

/** What a server serves, and to whom. */
export interface AppOptions extends AccessRules {
  readonly dispatcher: Dispatcher;
  /** Answers `GET /health`; absent: nobody can ask. */
  readonly health?: (() => HealthReport) | undefined;
  /** Answers `GET /metrics`, and counts what the server refuses; absent: nobody counts. */
  readonly metrics?: Metrics | undefined;
  /** Answers `GET /blocks?from=N`; absent: nobody can follow. */
  readonly blockFeed?: BlockFeed | undefined;
}

/** What an app is built on. */
export interface AppParts {
  readonly http: Server;
  readonly access: AccessCheck;
  readonly connections: Connections;
  readonly limits: ServerLimits;
  readonly onRefused: (reason: RefusalReason) => void;
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

/** Puts together what answers requests; it is ready then. */
export async function createApp(options: AppOptions, parts: AppParts): Promise<FastifyInstance> {
  const { default: fastify } = await import('fastify');
  const { http, access, connections, limits, onRefused } = parts;
  const context: RefusalContext = { limits, onRefused };
  const app = fastify({
    serverFactory: (answer) => http.on('request', connections.inOrder(answer)),
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, context),
    frameworkErrors: (error, request, reply) => refuseBroken(error, request, reply, context),
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request: FastifyRequest, payload: IncomingMessage, done) => {
    const connection = connections.of(payload.socket);
    const hold = (bytes: number): boolean => connections.hold(connection, bytes);
    readBody(payload, { bytesMax: limits.bodyBytesMax, hold }, done);
  });
  app.addHook('onRequest', (request, reply, next) => {
    const refusal = access.refusalOf(request);
    if (refusal !== undefined) {
      onRefused(refusal);
      refuse(reply, 403, new RequestFailedError(`the ${refusal} is not allowed`));
      return;
    }
    allowOrigin(request, reply);
    // A body is read the same way whatever it calls itself, even if that is no media type.
    delete request.raw.headers['content-type'];
    next();
  });
  app.setErrorHandler((error: FastifyError, request, reply) => refuseBroken(error, request, reply, context));
  const getHandlers = handlersOf(options, connections);
  app.setNotFoundHandler((request, reply) => refuseRoute(request, reply, getHandlers));
  for (const [path, handler] of getHandlers) app.get(path, handler);
  app.options('/', answerPreflight);
  app.post('/', callServer(options.dispatcher, connections));
  await app.ready();
  return app;
}

/** What is served by GET. */
function handlersOf(
  { dispatcher, health, metrics, blockFeed }: AppOptions,
  connections: Connections,
): ReadonlyMap<string, Handler> {
  const handlers = new Map<string, Handler>([['/openrpc.json', descriptionServer(dispatcher)]]);
  if (health !== undefined) handlers.set('/health', healthServer(health));
  if (metrics !== undefined) handlers.set('/metrics', metricsServer(metrics));
  if (blockFeed !== undefined) handlers.set('/blocks', blockServer(blockFeed, dispatcher, connections));
  return handlers;
}
