import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import anvil from './anvil-blocks.testing.json' with { type: 'json' };

/** Blocks of a real chain with the id 31337, from block 0 on. */
export const REAL_BLOCKS = anvil.osaka.blocks as readonly Record<string, unknown>[];

/** An error object that a method of a test's remote node reports. */
export class RemoteFault {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    this.code = code;
    this.message = message;
    this.data = data;
  }
}

/** Faults of a remote node; each number is the share of its requests. */
export interface Faults {
  readonly latencyMs?: number;
  readonly rateLimited?: number;
  readonly cut?: number;
  readonly wrongId?: number;
  readonly html?: number;
  readonly serverError?: number;
  /** Share of the calls of a batch that are left out of the response. */
  readonly leftOut?: number;
  /** Share of the calls with a rate limit in place of their result. */
  readonly callLimited?: number;
  /** Calls of a batch that are accepted, and the form of the refusal. */
  readonly batchMax?: number;
  readonly refusal?: 'error' | 'error in an array' | 'status' | 'size status' | 'first only' | 'html';
}

interface RpcRequest {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

type Handler = (method: string, params: readonly unknown[]) => unknown;

/** A remote node of a test over HTTP on 127.0.0.1. */
export interface TestRemote {
  readonly url: string;
  /** Bodies of all requests. */
  readonly bodies: string[];
  /** Headers of all requests. */
  readonly headers: NodeJS.Dict<string | string[]>[];
}

/** Returns random numbers from 0 to 1, the same for each seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Starts an HTTP server until the end of the test. */
export async function serve(respond: (body: string, response: ServerResponse) => void): Promise<TestRemote> {
  const bodies: string[] = [];
  const headers: NodeJS.Dict<string | string[]>[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      bodies.push(body);
      headers.push(request.headers);
      respond(body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies, headers };
}

/** Starts a remote node with faults until the end of the test. */
export function startRemote(handle: Handler, faults: Faults = {}, seed = 1): Promise<TestRemote> {
  const random = randomOf(seed);
  const happens = (share: number | undefined): boolean => random() < (share ?? 0);
  return serve((body, response) => {
    const send = (): void => {
      const failure = happens(faults.rateLimited)
        ? ([429, 'slow down'] as const)
        : happens(faults.serverError)
          ? ([503, 'busy'] as const)
          : happens(faults.html)
            ? ([200, '<html>please log in</html>'] as const)
            : undefined;
      if (failure !== undefined) {
        end(response, failure[0], failure[1], { 'retry-after': '0' });
        return;
      }
      const parsed = JSON.parse(body) as RpcRequest | RpcRequest[];
      const requests = Array.isArray(parsed) ? parsed : [parsed];
      if (Array.isArray(parsed) && requests.length > (faults.batchMax ?? Number.POSITIVE_INFINITY)) {
        const [status, text] = refusalOf(faults, requests, handle);
        end(response, status, text);
        return;
      }
      const items = requests
        .filter(() => !happens(faults.leftOut))
        .map((request) =>
          happens(faults.callLimited)
            ? { jsonrpc: '2.0', id: request.id, error: { code: -32_005, message: 'rate limit exceeded' } }
            : answer(handle, request),
        );
      if (happens(faults.wrongId)) for (const item of items) item.id += 1_000;
      const text = JSON.stringify(Array.isArray(parsed) ? items.reverse() : (items[0] ?? {}));
      if (!happens(faults.cut)) {
        end(response, 200, text);
        return;
      }
      response.writeHead(200, { 'content-length': text.length });
      response.write(text.slice(0, text.length / 2), () => response.destroy());
    };
    if (faults.latencyMs === undefined) send();
    else setTimeout(send, faults.latencyMs);
  });
}

function answer(
  handle: Handler,
  { id, method, params }: RpcRequest,
): { id: number } & Record<string, unknown> {
  try {
    return { jsonrpc: '2.0', id, result: handle(method, params) };
  } catch (error) {
    if (!(error instanceof RemoteFault)) throw error;
    return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message, data: error.data } };
  }
}

/** Status and body of the refusal of a batch. */
function refusalOf(faults: Faults, requests: readonly RpcRequest[], handle: Handler): [number, string] {
  const { batchMax = 0, refusal = 'error' } = faults;
  const [first] = requests;
  const size = `batch size exceeds the maximum of ${batchMax}`;
  const message = batchMax <= 1 ? 'batch requests are not supported' : size;
  const error = { jsonrpc: '2.0', id: null, error: { code: -32_600, message } };
  switch (refusal) {
    case 'error':
      return [200, JSON.stringify(error)];
    case 'error in an array':
      return [200, JSON.stringify([{ ...error, id: first?.id }])];
    case 'status':
      return [400, 'no'];
    case 'size status':
      return [413, 'too large'];
    case 'first only':
      return [200, JSON.stringify(first && answer(handle, first))];
    case 'html':
      return [403, '<html>forbidden</html>'];
  }
}

/** Ends a response. */
export function end(response: ServerResponse, status: number, text: string, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}

/** Ends a response with a compressed body. */
export function endCompressed(response: ServerResponse, text: string | Buffer): void {
  response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text));
}
