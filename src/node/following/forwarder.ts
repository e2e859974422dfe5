import { z } from 'zod';
import { lazily } from '../../caching/lazily.ts';
import { innermostMessage, LedgerdError } from '../../protocol/index.ts';
import {
  FORWARDED_HEADER,
  ForwardedError,
  type ForwardedSend,
  LimitError,
  RequestFailedError,
  type SendForwarder,
} from '../../rpc/index.ts';
import { PROFILE_PATHS } from '../../server/index.ts';
import { FollowError } from './block-source.ts';
import { HEADERS, patiently, within } from './fetch-blocks.ts';

/** Transactions that a follower forwards concurrently, and total bytes of their requests and responses. */
export const FORWARDS_MAX = 256;
const FORWARD_BYTES_MAX = 16 * 1024 * 1024;
/** Bytes of the response to a forwarded transaction, which is a hash or a receipt. */
const FORWARD_RESPONSE_BYTES_MAX = 4 * 1024 * 1024;
/** Milliseconds for a followed node to respond, beyond those that the call itself waits for a block. */
const FORWARD_TIMEOUT_MS = 10_000;
/** Followers that may forward a transaction in a chain. */
const FORWARD_HOPS_MAX = 4;

/** Statuses of a response to a request that was not executed. */
const REFUSALS: ReadonlySet<number> = new Set([403, 404, 405, 413, 421, 429, 503]);
/** Codes of connection errors, after which nothing was sent. */
const NOT_CONNECTED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const TAKES_NONE = 'this node takes no transactions';

const rpcResponse = lazily(() =>
  z.object({
    error: z
      .object({
        code: z.number(),
        message: z.string(),
        data: z.union([z.string(), z.object({ code: z.number(), message: z.string() })]).optional(),
      })
      .nullish(),
    result: z.unknown().optional(),
  }),
);

/** A followed node certainly did not execute a request. */
class NotAcceptedError extends FollowError {}

/** Forwards transactions to the first followed node that accepts requests. */
export class HttpForwarder implements SendForwarder {
  readonly #urls: readonly string[];
  readonly #stops = new Set<AbortController>();
  #bytes = 0;

  /** @param urls of the followed nodes, in the order of the attempts */
  constructor(urls: readonly string[]) {
    this.#urls = urls;
  }

  async forward({ profile, method, parameters, waitMs }: ForwardedSend, hops: number): Promise<unknown> {
    if (hops >= FORWARD_HOPS_MAX) {
      throw new RequestFailedError(
        `${TAKES_NONE}: this one was forwarded ${hops} times, which is the limit; the nodes may follow each other in ` +
          'a circle',
      );
    }
    const path = PROFILE_PATHS[profile];
    return this.#counted(method, parameters, (request) => this.#tryEach(path, { ...request, waitMs, hops }));
  }

  /** Returns true unless every followed node responds that it knows no transaction with a hash. */
  async mayHave(hash: string): Promise<boolean> {
    try {
      return await this.#counted('eth_getTransactionByHash', [hash], async (request) => {
        for (const url of this.#urls) {
          if ((await send(at(url, PROFILE_PATHS.ledger), { ...request, waitMs: 0, hops: 0 })) !== null)
            return true;
        }
        return false;
      });
    } catch (error) {
      // A node that does not respond may have it.
      if (error instanceof LedgerdError) return true;
      throw error;
    }
  }

  /** Makes a request, whose bytes and responses are counted until it ends. @throws LimitError */
  async #counted<T>(
    method: string,
    params: readonly unknown[],
    act: (request: Pick<Forwarding, 'body' | 'stop' | 'reserve'>) => Promise<T>,
  ): Promise<T> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    if (this.#stops.size >= FORWARDS_MAX || this.#bytes + body.length > FORWARD_BYTES_MAX) {
      throw new LimitError(
        `too many transactions are being forwarded: at most ${FORWARDS_MAX}, of ${FORWARD_BYTES_MAX} bytes together`,
      );
    }
    const stop = new AbortController();
    let reserved = 0;
    const reserve = (bytes: number): void => {
      reserved += bytes;
      this.#bytes += bytes;
      if (this.#bytes > FORWARD_BYTES_MAX) throw new FollowError('the responses in flight are too large');
    };
    this.#stops.add(stop);
    try {
      reserve(body.length);
      return await act({ body, stop, reserve });
    } finally {
      this.#stops.delete(stop);
      this.#bytes -= reserved;
    }
  }

  /** Aborts all requests in flight. */
  close(): void {
    for (const stop of this.#stops) stop.abort(new FollowError('this node stops'));
  }

  async #tryEach(path: string, request: Forwarding): Promise<unknown> {
    const reasons: string[] = [];
    for (const [index, url] of this.#urls.entries()) {
      try {
        return await send(at(url, path), request);
      } catch (error) {
        if (!(error instanceof FollowError)) throw error;
        const source = `followed node ${index + 1} of ${this.#urls.length}`;
        if (!(error instanceof NotAcceptedError)) {
          throw new RequestFailedError(
            `the outcome is unknown: the transaction was forwarded to ${source}: ${error.message}. It may be ` +
              'included: look it up, or send the same bytes again, which are included at most once',
          );
        }
        reasons.push(`${source}: ${error.message}`);
      }
    }
    throw new RequestFailedError(`${TAKES_NONE}, and could not forward this one: ${reasons.join('; ')}`);
  }
}

const at = (url: string, path: string): string => `${url.replace(/\/+$/, '')}${path}`;

interface Forwarding {
  readonly body: string;
  readonly waitMs: number;
  readonly hops: number;
  readonly stop: AbortController;
  /** Counts bytes of a response. @throws FollowError beyond the bound for all requests */
  reserve(bytes: number): void;
}

/** Sends a call to a node. @throws NotAcceptedError, FollowError for an unknown outcome, ForwardedError */
async function send(url: string, request: Forwarding): Promise<unknown> {
  const { stop, waitMs } = request;
  const milliseconds = FORWARD_TIMEOUT_MS + waitMs;
  const late = `no response within ${milliseconds / 1_000} s`;
  try {
    return await within(milliseconds, late, stop, exchange(url, request));
  } catch (error) {
    if (error instanceof FollowError || error instanceof ForwardedError) throw error;
    if (stop.signal.reason instanceof FollowError) throw stop.signal.reason;
    const { cause } = error instanceof Error ? error : {};
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    const Failure = NOT_CONNECTED.has(code) ? NotAcceptedError : FollowError;
    throw new Failure(innermostMessage(error), { cause: error });
  }
}

async function exchange(url: string, { body, hops, stop, reserve }: Forwarding): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    body,
    redirect: 'error',
    signal: stop.signal,
    headers: { ...HEADERS, 'content-type': 'application/json', [FORWARDED_HEADER]: String(hops + 1) },
  });
  const { status } = response;
  if (status !== 200) {
    await response.body?.cancel();
    throw new (REFUSALS.has(status) ? NotAcceptedError : FollowError)(`it responded with HTTP ${status}`);
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of patiently(response.body, stop)) {
    bytes += part.length;
    reserve(part.length);
    if (bytes > FORWARD_RESPONSE_BYTES_MAX)
      throw new FollowError(`its response has more than ${FORWARD_RESPONSE_BYTES_MAX} bytes`);
    parts.push(part);
  }
  return resultOf(Buffer.concat(parts).toString());
}

/** Returns the result of a JSON-RPC response. @throws ForwardedError for its error, FollowError for anything else */
function resultOf(text: string): unknown {
  const { error, result } = parsed(text);
  if (error != null) throw new ForwardedError(error.code, error.message, error.data);
  if (result !== undefined) return result;
  throw new FollowError('it sent no JSON-RPC response');
}

function parsed(text: string): Partial<z.infer<ReturnType<typeof rpcResponse>>> {
  try {
    return rpcResponse().parse(JSON.parse(text));
  } catch {
    return {};
  }
}
