import { once } from 'node:events';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Dispatcher } from '../rpc/index.ts';
import { type RunningServer, type ServerOptions, startServer } from './index.ts';

/** Answers every body with its length in bytes, and `notify` with nothing. */
export const echo: Dispatcher = {
  handle: (body) => (body.toString() === 'notify' ? undefined : `{"length":${body.length}}`),
};

/** Starts a server on a free port of the loopback address; it closes when the test ends. */
export async function startTestServer(options: Partial<ServerOptions> = {}): Promise<RunningServer> {
  const server = await startServer({
    dispatcher: echo,
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    allowedOrigins: [],
    loopbackOrigins: true,
    ...options,
  });
  onTestFinished(() => server.close());
  return server;
}

/** Sends bytes over a connection of its own and gives all that comes back until the other side closes it. */
export async function exchange(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(request);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

/** A raw request with the given lines of header after the first ones. */
export function rawRequest(port: number, headers: readonly string[], body = ''): string {
  const head = ['POST / HTTP/1.1', `Host: 127.0.0.1:${port}`, ...headers];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
