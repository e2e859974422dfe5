import { createServer, type Server } from 'node:http';
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { invariant } from '../protocol/index.ts';
import { type Dispatcher, RequestFailedError } from '../rpc/index.ts';
import { type AccessRules, accessCheck, allowOrigin, answerPreflight, DESCRIPTION_PATH } from './access.ts';
import { Connections } from './connections.ts';
import { descriptionServer } from './description.ts';
import { refuse, refuseBroken, refuseConnection, refuseRoute } from './refusals.ts';
import { DEFAULT_SERVER_LIMITS, type ServerLimits } from './server-limits.ts';

/** What a server is started with. */
export interface ServerOptions extends AccessRules {
  readonly dispatcher: Dispatcher;
  /** 0 for a port that the system chooses. */
  readonly port: number;
  /** Bounds other than the default ones. */
  readonly limits?: Partial<ServerLimits> | undefined;
}

/** A server that listens. */
export interface RunningServer {
  /** Where it is reached, such as `http://127.0.0.1:8545`. */
  readonly url: string;
  readonly port: number;
  /**
   * Stops listening, closes idle connections at once and lets requests in flight finish, for as long as the
   * limits allow.
   */
  close(): Promise<void>;
}

const NO_BODY = new Uint8Array();

/**
 * Starts serving JSON-RPC at `POST /` and its description at `GET /openrpc.json`. Rejects with the system's error
 * when it cannot listen there.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const limits: ServerLimits = { ...DEFAULT_SERVER_LIMITS, ...options.limits };
  const http = createHttpServer(limits);
  const connections = new Connections(http);
  const app = createApp(options, limits, http);
  await app.listen({ host: options.host, port: options.port });

  const address = http.address();
  invariant(typeof address === 'object' && address !== null, 'a server that listens has an address and port');
  const { port } = address;
  let closed: Promise<void> | undefined;
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    port,
    close: () => {
      closed ??= closeGracefully(app, connections, limits.closeGraceMs);
      return closed;
    },
  };
}

async function closeGracefully(
  app: FastifyInstance,
  connections: Connections,
  graceMs: number,
): Promise<void> {
  connections.closeWhenIdle();
  const deadline = setTimeout(() => connections.closeAll(), graceMs);
  try {
    await app.close();
  } finally {
    clearTimeout(deadline);
  }
}

function createHttpServer(limits: ServerLimits): Server {
  const server = createServer({
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    // How often the two time-outs above are looked at.
    connectionsCheckingInterval: Math.ceil(limits.headersTimeoutMs / 2),
  });
  server.maxConnections = limits.connectionsMax;
  // A client that does not read its answer.
  server.setTimeout(limits.stalledTimeoutMs);
  return server;
}

function createApp(options: ServerOptions, limits: ServerLimits, http: Server): FastifyInstance {
  const { dispatcher } = options;
  const app = fastify({
    serverFactory: (answer) => http.on('request', answer),
    bodyLimit: limits.bodyBytesMax,
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, limits.bodyBytesMax),
    frameworkErrors: (error, request, reply) => refuseBroken(error, request, reply, limits.bodyBytesMax),
  });
  const check = accessCheck(options);

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', (request, reply, next) => {
    const refusal = check(request);
    if (refusal !== undefined) {
      refuse(reply, 403, new RequestFailedError(refusal));
      return;
    }
    allowOrigin(request, reply);
    // A body is read the same way whatever it calls itself, even if that is no media type.
    delete request.raw.headers['content-type'];
    next();
  });
  app.setErrorHandler((error: FastifyError, request, reply) =>
    refuseBroken(error, request, reply, limits.bodyBytesMax),
  );
  app.setNotFoundHandler(refuseRoute);
  app.options('/', answerPreflight);
  app.get(DESCRIPTION_PATH, descriptionServer(dispatcher));
  app.post('/', (request: FastifyRequest<{ Body: Uint8Array | undefined }>, reply) => {
    const answer = dispatcher.handle(request.body ?? NO_BODY);
    if (!(answer instanceof Promise)) return respond(reply, answer);
    return answer.then((settled) => respond(reply, settled));
  });
  return app;
}

function respond(reply: FastifyReply, answer: string | undefined): FastifyReply {
  return answer === undefined ? reply.code(204).send() : reply.type('application/json').send(answer);
}
