import { ProcessHold } from '../process-hold.ts';
import { NO_CLIENT } from '../rpc/index.ts';
import {
  type ProviderConnectInfo,
  ProviderEmitter,
  type ProviderMessage,
  ProviderRpcError,
} from './provider-events.ts';

/** A request of EIP-1193. */
export interface RequestArguments {
  readonly method: string;
  readonly params?: readonly unknown[] | object | undefined;
}

/** The subscriber that a node notifies. */
interface Told {
  readonly client: string;
  notify(messages: readonly (readonly Uint8Array[])[]): void;
  isBehind(): boolean;
  disconnect(reason: string): void;
}

/** The provider as the caller of a request. */
interface ProviderCaller {
  readonly client: string;
  readonly connection: object;
  readonly notifications: {
    readonly subscriber: Told;
    afterResponse(callback: () => void): void;
  };
  /** Returns true once the provider has stopped: its queued requests are dropped. */
  isGone(): boolean;
}

/** A response, written as text on demand. */
interface Text {
  toString(): string;
}

/** The part of a node that a provider uses; the types of the package end here. */
interface AskedNode {
  handle(body: string, caller: ProviderCaller): Text | undefined | Promise<Text | undefined>;
  readonly subscriptions: {
    removeAll(subscriber: Told): void;
  };
}

/** The values whose changes a provider reports. */
interface WatchedChain {
  chainId(): number;
  /** Returns the result of `eth_accounts`. */
  accounts(): readonly `0x${string}`[];
  /** Calls back when either may have changed. */
  onChange(listener: () => void): void;
}

/** Code of EIP-1193 for requests to a provider without its chain. */
const DISCONNECTED = 4900;
/** Codes of `disconnect`, which are those of a WebSocket's end (RFC 6455, 7.4.1, and IANA's registry). */
const GOING_AWAY = 1001;
const TRY_AGAIN_LATER = 1013;

const STOPPED = 'the node has stopped';

/**
 * A provider of EIP-1193 for a node in the same process: what is asked goes straight to the node, without HTTP, by the
 * same rules and limits. Emits
 *
 * - `connect` with a `ProviderConnectInfo` in the turn after it was handed out;
 * - `message` with a `ProviderMessage` for each notification of what `eth_subscribe` has subscribed to;
 * - `disconnect` with a `ProviderRpcError` when the node stops (1001), and when a subscription has missed something
 *   that the node cannot tell any more (1013), which ends all of its subscriptions: `connect` follows then;
 * - `accountsChanged` with the addresses, when `eth_accounts` answers others than before;
 * - `chainChanged` with the chain's id in hexadecimal, when another chain was loaded that has another one.
 */
export class Provider extends ProviderEmitter {
  readonly #node: AskedNode;
  readonly #chain: WatchedChain;
  /** The chain's id and the accounts, as reported. */
  #chainId: `0x${string}`;
  #accounts: readonly `0x${string}`[];
  readonly #told: Told;
  readonly #hold = new ProcessHold();
  #isStopped = false;
  #requests = 0;

  /** @internal */
  constructor(node: AskedNode, chain: WatchedChain) {
    super();
    this.#node = node;
    this.#chain = chain;
    this.#chainId = hexOf(chain.chainId());
    this.#accounts = chain.accounts();
    // What changes is whole only when whoever changes it is through.
    chain.onChange(() => queueMicrotask(() => this.#tellChanges()));
    this.#told = {
      client: NO_CLIENT,
      notify: (messages: readonly (readonly Uint8Array[])[]) => {
        for (const message of messages) this.#tell(String(Buffer.concat(message)));
      },
      isBehind: () => false,
      disconnect: (reason: string) => this.#giveUp(reason),
    };
    this.#connectSoon();
  }

  /**
   * Sends a request to the node.
   *
   * @returns the result, which shares nothing with the node
   * @throws ProviderRpcError with the code of the response's error; 4900 once the node has stopped, also for requests
   *   in flight that could not be completed
   */
  async request({ method, params = [] }: RequestArguments): Promise<unknown> {
    if (this.#isStopped) throw disconnected();
    this.#requests += 1;
    const body = JSON.stringify({ jsonrpc: '2.0', id: this.#requests, method, params });
    const started: (() => void)[] = [];
    const handled = this.#node.handle(body, {
      client: NO_CLIENT,
      connection: this,
      notifications: { subscriber: this.#told, afterResponse: (callback) => started.push(callback) },
      isGone: () => this.#isStopped,
    });
    const answer = handled instanceof Promise ? await this.#hold.during(handled) : handled;
    // A dropped request has no response.
    if (answer === undefined) throw disconnected();
    const { result, error } = JSON.parse(String(answer));
    if (error !== undefined) {
      throw this.#isStopped ? disconnected() : new ProviderRpcError(error.message, error.code, error.data);
    }
    // Nobody is told any more once the node has stopped.
    if (this.#isStopped) this.#unsubscribe();
    else for (const start of started) start();
    return result;
  }

  /** @internal */
  disconnect(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#unsubscribe();
    this.emit('disconnect', new ProviderRpcError(STOPPED, GOING_AWAY));
  }

  #unsubscribe(): void {
    this.#node.subscriptions.removeAll(this.#told);
  }

  /** Emits a notification in a separate turn: an exception of a listener concerns its program, and no subscription. */
  #tell(message: string): void {
    queueMicrotask(() => {
      if (this.#isStopped) return;
      const told: ProviderMessage = { type: 'eth_subscription', data: JSON.parse(message).params };
      this.emit('message', told);
    });
  }

  #tellChanges(): void {
    if (this.#isStopped) return;
    const [chainId, accounts] = [hexOf(this.#chain.chainId()), this.#chain.accounts()];
    const isOther = accounts.join() !== this.#accounts.join();
    const isOtherChain = chainId !== this.#chainId;
    this.#chainId = chainId;
    this.#accounts = accounts;
    if (isOtherChain) this.emit('chainChanged', chainId);
    if (isOther) this.emit('accountsChanged', [...accounts]);
  }

  #giveUp(reason: string): void {
    this.#unsubscribe();
    queueMicrotask(() => {
      if (!this.#isStopped) this.emit('disconnect', new ProviderRpcError(reason, TRY_AGAIN_LATER));
    });
    this.#connectSoon();
  }

  #connectSoon(): void {
    setImmediate(() => {
      const info: ProviderConnectInfo = { chainId: this.#chainId };
      if (!this.#isStopped) this.emit('connect', info);
    });
  }
}

function disconnected(): ProviderRpcError {
  return new ProviderRpcError(STOPPED, DISCONNECTED);
}

function hexOf(chainId: number): `0x${string}` {
  return `0x${chainId.toString(16)}`;
}
