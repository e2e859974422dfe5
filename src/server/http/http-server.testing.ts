import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { onTestFinished } from 'vitest';
import { InvalidRequestError } from '../../rpc/index.ts';
import type { AccessRefusal } from '../access.ts';
import { type Connection, Connections, type Transport } from '../connections.ts';
import { ParseScheduler } from '../parse-scheduler.ts';
import type { RouteTable } from '../routes.ts';
import { echo } from '../server.testing.ts';
import { DEFAULT_SERVER_LIMITS, type ServerLimits } from '../server-limits.ts';
import { createHttpServer } from './serve-http.ts';

/** Has a server listen at a free port until the test ends, and returns the port. */
export async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Connections that note each piece of a body. */
class NotedConnections extends Connections {
  onPiece: () => void = () => undefined;

  override open(transport: Transport): Connection | undefined {
    const connection = super.open(transport);
    if (connection === undefined) return undefined;
    const receive = connection.receive.bind(connection);
    connection.receive = (bytes) => {
      this.onPiece();
      return receive(bytes);
    };
    return connection;
  }
}

const NO_HOST: AccessRefusal = {
  reason: 'malformed',
  status: 400,
  error: new InvalidRequestError('no Host header'),
};

/** Starts the HTTP server with routes of a test, any Host and Origin, and no WebSockets; returns its port. */
export function startHttpServer(
  handlerOf: RouteTable,
  options: { limits?: Partial<ServerLimits>; parseScheduler?: ParseScheduler; onPiece?: () => void } = {},
): Promise<number> {
  const ignore = (): void => undefined;
  const limits = { ...DEFAULT_SERVER_LIMITS, ...options.limits };
  const connections = new NotedConnections({ ...limits, onRefused: ignore, onOpened: ignore });
  connections.onPiece = options.onPiece ?? ignore;
  const server = createHttpServer({
    ...{ dispatcher: echo, connections, limits, handlerOf },
    parseScheduler: options.parseScheduler ?? new ParseScheduler(),
    // HTTP/1.1 requires a Host (RFC 9112, 3.2), which is left to the check of access.
    access: ({ headers, isLatest }) => (isLatest && headers.host === undefined ? NO_HOST : undefined),
    upgrades: { refusalOf: () => undefined, open: ignore },
    ...{ onRefused: ignore, onForeign: ignore, onFailure: ignore },
  });
  onTestFinished(() => connections.closeAll());
  return portOf(server);
}
