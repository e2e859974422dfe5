import { EventEmitter } from 'node:events';

/** A request of EIP-1193. */
export interface RequestArguments {
  readonly method: string;
  readonly params?: readonly unknown[] | object | undefined;
}

/** Answers a request body of JSON-RPC 2.0; undefined is no answer. */
type Answer = (body: string) => string | Uint8Array | undefined | Promise<string | Uint8Array | undefined>;

/** Code of EIP-1193: the provider is disconnected from the chain. */
const DISCONNECTED = 4900;

/** A request was answered by an error, as EIP-1193 has it: `code` and `data` are those of JSON-RPC 2.0. */
export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError';
  readonly code: number;
  readonly data: unknown;

  constructor(message: string, code: number, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/**
 * A provider of EIP-1193 for a node in the same process: what is asked goes straight to the node, without HTTP, by the
 * same rules and limits. Emits `disconnect` with a `ProviderRpcError` when the node stops.
 */
export class Provider extends EventEmitter {
  readonly #answer: Answer;
  #stopped: ProviderRpcError | undefined;
  #requests = 0;

  /** @internal */
  constructor(answer: Answer) {
    super();
    this.#answer = answer;
  }

  /**
   * Asks the node.
   *
   * @returns the result, of which nothing is shared with the node
   * @throws ProviderRpcError with the code of the answer's error; 4900 once the node has stopped
   */
  async request({ method, params = [] }: RequestArguments): Promise<unknown> {
    if (this.#stopped !== undefined) throw this.#stopped;
    this.#requests += 1;
    const body = JSON.stringify({ jsonrpc: '2.0', id: this.#requests, method, params });
    const { result, error } = JSON.parse(String((await this.#answer(body)) ?? '{}'));
    if (error !== undefined) throw new ProviderRpcError(error.message, error.code, error.data);
    return result;
  }

  /** @internal */
  disconnect(): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = new ProviderRpcError('the node has stopped', DISCONNECTED);
    this.emit('disconnect', this.#stopped);
  }
}
