import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { accountId } from '../protocol/index.ts';
import type { Dispatcher } from '../rpc/index.ts';
import { completeJob } from '../time/job.ts';
import { Metrics, type RunningServer, type ServerOptions, startServer } from './index.ts';

/** A dispatcher of which a test gives the responses. */
export function dispatcherOf(handle: Dispatcher['handle']): Dispatcher {
  return {
    handle,
    schedule: (_caller, work) => (typeof work === 'function' ? work() : completeJob(work)),
    noticeArrival: () => undefined,
    beforeRounds: () => undefined,
    subscriptions: {
      size: 0,
      resume: () => undefined,
      removeAll: () => undefined,
    },
  };
}

/** Responds to every body with its length in bytes, and to `notify` with nothing. */
export const echo = dispatcherOf((body) =>
  body.toString() === 'notify' ? undefined : `{"length":${body.length}}`,
);

/** A dispatcher that responds when the test says so, and reports requests. */
export function held(): { dispatcher: Dispatcher; asked: Promise<void>; release: () => void } {
  let release = (): void => undefined;
  let ask = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const dispatcher = dispatcherOf(() => {
    ask();
    return released.then(() => '"done"');
  });
  return { dispatcher, asked, release };
}

/** Metrics of a node with constant values. */
export function testMetrics(): Metrics {
  const metrics = new Metrics({
    version: '1.2.3',
    head: () => ({ number: 7, timestamp: 1_000 }),
    now: () => 1_002,
    lag: () => ({ blocks: 4, seconds: 6 }),
    blockLog: () => undefined,
    producers: () => [
      [accountId(1_023), false],
      [accountId(1_022), true],
    ],
    pendingTransactions: () => 3,
    signatureChecks: () => ({ own: 1, ahead: 2 }),
    workers: () => 2,
    writing: () => ({ unwrittenBlocks: 6, hasFailed: true }),
    store: () => ({ fileBytes: 4_096, usedBytes: 2_048, readers: 1, oldestReaderTransactions: 5 }),
  });
  onTestFinished(() => metrics.close());
  return metrics;
}

/** Reads how many bytes of requests a server holds, from its metrics. */
export async function heldRequestBytes(metrics: Metrics): Promise<number> {
  const [, bytes] = /ledgerd_held_bytes\{kind="requests"\} (\d+)/.exec(await metrics.text()) ?? [];
  return Number(bytes);
}

/** Starts a server on a free port of the loopback address; it closes when the test ends. */
export async function startTestServer(options: Partial<ServerOptions> = {}): Promise<RunningServer> {
  const server = await startServer({
    dispatcher: echo,
    host: '127.0.0.1',
    port: 0,
    root: 'ledger',
    allowedHosts: [],
    allowedOrigins: [],
    localOrigins: true,
    head: { number: () => 7, onChange: () => () => undefined },
    ...options,
  });
  onTestFinished(() => server.close());
  return server;
}

/** Opens a connection, which closes when the test ends. */
export async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
  });
  // Being reset is one way to be closed.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes over a connection and gives the first piece of what comes back. */
export async function send(socket: Socket, request: string): Promise<string> {
  const answer = once(socket, 'data');
  socket.write(request);
  const [chunk] = await answer;
  return String(chunk);
}

/** Sends bytes over a new connection, and returns all received bytes until the server closes it. */
export async function exchange(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(request);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

/**
 * Sends bytes over a connection in pieces, and gives all that comes back until the other side ends.
 *
 * @param lengths of the pieces, each sent in a separate iteration of the event loop
 * @param sendLast sends the rest after them
 */
export async function exchangePieces(
  socket: Socket,
  bytes: Buffer,
  lengths: readonly number[],
  sendLast: (rest: Buffer) => void,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = once(socket, 'end');
  let sent = 0;
  for (const length of lengths) {
    socket.write(bytes.subarray(sent, sent + length));
    sent += length;
    await new Promise(setImmediate);
  }
  sendLast(bytes.subarray(sent));
  await ended;
  return Buffer.concat(chunks);
}

/** A raw request with the given lines of header after the first ones. */
export function rawRequest(port: number, headers: readonly string[], body = ''): string {
  const head = ['POST / HTTP/1.1', `Host: 127.0.0.1:${port}`, ...headers];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** Counts events by iterations of the event loop. */
export function countTurns() {
  const counts = [0];
  const timer = setInterval(() => undefined, 1);
  let isOver = false;
  const next = (): void => {
    counts.push(0);
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  onTestFinished(() => {
    isOver = true;
    clearInterval(timer);
  });
  return {
    note: () => {
      counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1;
    },
    most: () => Math.max(...counts),
    sum: () => counts.reduce((sum, count) => sum + count, 0),
  };
}
