import { z } from 'zod';

/** Code of a JSON-RPC error for a method that does not exist. */
const METHOD_NOT_FOUND = -32601;

const envelope = z.object({
  jsonrpc: z.literal('2.0'),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});

/** Why a call has no result. */
export type CallFailure = 'UNREACHABLE' | 'NO_LEDGERD' | 'REFUSED' | 'INTERRUPTED';

/** How the command that calls a node fails. */
export interface CallFailures {
  /** What the node should be, such as `ledgerd that registers`. */
  readonly expected: string;
  /** Makes the command's error. */
  error(code: CallFailure, message: string, options?: ErrorOptions): Error;
}

/** Calls the methods of a node over HTTP. */
export class NodeCaller {
  readonly #url: URL;
  readonly #stop: AbortSignal;
  readonly #failures: CallFailures;

  /** @param stop ends a call that waits for its response */
  constructor(url: URL, stop: AbortSignal, failures: CallFailures) {
    this.#url = url;
    this.#stop = stop;
    this.#failures = failures;
  }

  /**
   * Calls a method.
   * @param timeout milliseconds that the response may take
   * @returns throws the command's error, `REFUSED` with the node's message
   */
  async call<T>(method: string, params: unknown[], expected: z.ZodType<T>, timeout: number): Promise<T> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const { status, text } = await this.#post(body, timeout);
    if (status !== 200) throw this.noLedgerd(`it responds with HTTP ${status}: ${text}`);
    const response = envelope.safeParse(parsed(text));
    if (!response.success) throw this.noLedgerd('its response is no JSON-RPC 2.0');
    const { error, result } = response.data;
    if (error?.code === METHOD_NOT_FOUND) throw this.noLedgerd(`it does not know ${method}`);
    if (error !== undefined) throw this.#failures.error('REFUSED', `the node refuses: ${error.message}`);
    const read = expected.safeParse(result);
    if (!read.success) throw this.noLedgerd(`its response to ${method} is not that of a ledgerd`);
    return read.data;
  }

  /** The error for a node that is another program. */
  noLedgerd(detail: string): Error {
    const { expected, error } = this.#failures;
    return error('NO_LEDGERD', `what responds at ${this.#url} is no ${expected}: ${detail}`);
  }

  async #post(body: string, timeout: number): Promise<{ status: number; text: string }> {
    const expired = AbortSignal.timeout(timeout);
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        redirect: 'error',
        signal: AbortSignal.any([this.#stop, expired]),
      });
      return { status: response.status, text: await response.text() };
    } catch (cause) {
      const { error } = this.#failures;
      if (this.#stop.aborted) throw error('INTERRUPTED', 'interrupted', { cause });
      const detail = expired.aborted ? `no response within ${timeout / 1_000} s` : reasonOf(cause);
      throw error('UNREACHABLE', `cannot reach the node at ${this.#url}: ${detail}`, { cause });
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The innermost cause says what happened; an attempt at several addresses has only a code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return error.message !== '' ? error.message : 'code' in error ? String(error.code) : error.name;
}
