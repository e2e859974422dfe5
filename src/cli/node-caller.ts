import { z } from 'zod';
import { lazily } from '../caching/lazily.ts';
import { innermostMessage } from '../protocol/index.ts';
import { CommandError, interrupted } from './command-errors.ts';

/** Error code of JSON-RPC for an unknown method. */
const METHOD_NOT_FOUND = -32601;

const responseSchema = lazily(() =>
  z.object({
    jsonrpc: z.literal('2.0'),
    result: z.unknown().optional(),
    error: z.object({ code: z.number(), message: z.string() }).optional(),
  }),
);

export interface NodeCallerOptions {
  /** The expected node in messages, such as `ledgerd that registers`. */
  readonly expected: string;
  /** Default milliseconds to wait for a response. */
  readonly timeout: number;
  /** Aborts calls. */
  readonly stop: AbortSignal;
}

export class NodeCaller {
  readonly #url: URL;
  readonly #options: NodeCallerOptions;

  constructor(url: URL, options: NodeCallerOptions) {
    this.#url = url;
    this.#options = options;
  }

  /**
   * Calls a method.
   * @throws CommandError, `REFUSED` with the node's message
   */
  async call<T>(
    method: string,
    params: unknown[],
    expected: z.ZodType<T>,
    timeout = this.#options.timeout,
  ): Promise<T> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const { status, text } = await this.#post(body, timeout);
    if (status !== 200) throw this.noLedgerd(`it responds with HTTP ${status}: ${text}`);
    const response = responseSchema().safeParse(parseJson(text));
    if (!response.success) throw this.noLedgerd('its response is no JSON-RPC 2.0');
    const { error, result } = response.data;
    if (error?.code === METHOD_NOT_FOUND) throw this.noLedgerd(`it does not know ${method}`);
    if (error !== undefined) throw new CommandError('REFUSED', `the node refuses: ${error.message}`);
    const read = expected.safeParse(result);
    if (!read.success) throw this.noLedgerd(`its response to ${method} is not that of a ledgerd`);
    return read.data;
  }

  /** Creates the error for a node of another program. */
  noLedgerd(detail: string): CommandError {
    const { expected } = this.#options;
    return new CommandError('NO_LEDGERD', `what responds at ${this.#url} is no ${expected}: ${detail}`);
  }

  async #post(body: string, timeout: number): Promise<{ status: number; text: string }> {
    const { stop } = this.#options;
    const expired = AbortSignal.timeout(timeout);
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        redirect: 'error',
        signal: AbortSignal.any([stop, expired]),
      });
      return { status: response.status, text: await response.text() };
    } catch (cause) {
      if (stop.aborted) throw interrupted('interrupted', { cause });
      const detail = expired.aborted ? `no response within ${timeout / 1_000} s` : innermostMessage(cause);
      throw new CommandError('UNREACHABLE', `cannot reach the node at ${this.#url}: ${detail}`, { cause });
    }
  }
}

/** Parses JSON; undefined for malformed text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
