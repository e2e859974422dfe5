import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { post } from './json-rpc.ts';
import { NodeProcess } from './node-process.ts';

/** Megabytes of heap that the program gets here. */
const HEAP_MEGABYTES = 256;

const running: NodeProcess[] = [];

afterEach(async () => {
  for (const node of running.splice(0)) if (node.isRunning) await node.end('SIGKILL');
});

/** Starts the program with a small heap. */
async function start(
  ...words: readonly string[]
): Promise<{ readonly node: NodeProcess; readonly url: string }> {
  const small = ['env', `NODE_OPTIONS=--max-old-space-size=${HEAP_MEGABYTES}`];
  const node = new NodeProcess(
    ['start', '--port', '0', '--log-format', 'json', '--log-level', 'info', ...words],
    small,
  );
  running.push(node);
  return { node, url: await node.ready() };
}

/** The response to a client: the HTTP status, and the length and end of the body. */
interface Taken {
  readonly status: string;
  readonly length: number;
  readonly end: string;
}

/** Sends a body over a new connection, and returns the response. */
async function take(url: string, body: string): Promise<Taken> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const head = ['POST / HTTP/1.1', `Host: ${new URL(url).host}`, `Content-Length: ${body.length}`];
  socket.write(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`);
  let status = '';
  let length = 0;
  let end = '';
  socket.on('data', (chunk: Buffer) => {
    if (length === 0) status = chunk.toString('latin1', 0, 12);
    length += chunk.length;
    end = (end + chunk.toString('latin1', Math.max(0, chunk.length - 400))).slice(-400);
  });
  await once(socket, 'close');
  return { status, length, end };
}

function batchOf(count: number, method: string): string {
  const request = { jsonrpc: '2.0', id: 1, method, params: [] };
  return JSON.stringify(new Array(count).fill(request));
}

test('behavior: many batches with long answers are all answered, and others meanwhile', async () => {
  const { node, url } = await start();
  let isOver = false;
  const attack = Promise.all(
    Array.from({ length: 30 }, () => take(url, batchOf(1_000, 'rpc_discover'))),
  ).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const answer = await (await post(url, { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' })).response();
    expect(answer).toEqual({ jsonrpc: '2.0', id: 1, result: '0x0' });
  }
  for (const { status, length, end } of await attack) {
    expect(status).toBe('HTTP/1.1 200');
    expect(length).toBeGreaterThan(25_000_000);
    expect(end).toMatch(
      /"code":-32005,"message":"the response to the batch exceeds the limit of \d+ characters"\}\}\]$/,
    );
  }
  expect(await node.end('SIGTERM')).toEqual({ status: 0, signal: null });
});

test('behavior: clients that do not read the description hold no memory that others need', async () => {
  const { url } = await start();
  const head = `GET /openrpc.json HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`;
  const slow = await Promise.all(
    Array.from({ length: 250 }, async () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.write(head.repeat(20));
      await once(socket, 'data');
      return socket.pause();
    }),
  );
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ data: '0x600160010100' }] };
  expect(await (await post(url, call)).response()).toEqual({ jsonrpc: '2.0', id: 1, result: '0x' });
  for (const socket of slow) socket.destroy();
});
