import { ProcessHold } from '../node/index.ts';
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

/** A subscriber of the node. */
interface NodeSubscriber {
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
    readonly subscriber: NodeSubscriber;
    afterResponse(callback: () => void): void;
  };
  /** Returns true once the provider has stopped: its queued requests are dropped. */
  isGone(): boolean;
}

/** A response, written as text on demand. */
interface Text {
  toString(): string;
}

/** The native interface, or that of Ethereum's tools. */
export type Interface = 'ledger' | 'ethereum';

/** The part of a node that a provider uses. The published types of the package do not go further. */
interface ProviderNode {
  handle(
    body: string,
    caller: ProviderCaller,
    profile: Interface,
  ): Text | undefined | Promise<Text | undefined>;
  readonly subscriptions: {
    removeAll(subscriber: NodeSubscriber): void;
  };
}

/** Values with changes that a provider reports. */
interface ObservedChain {
  chainId(): number;
  /** Returns the result of `eth_accounts`. */
  accounts(): readonly `0x${string}`[];
  /** Calls back when either may have changed. */
  onChange(listener: () => void): void;
}

/** Error code of EIP-1193 for a provider that is disconnected from all chains. */
const DISCONNECTED = 4900;
/** Codes of the event `disconnect`: WebSocket close codes (RFC 6455, section 7.4.1, and IANA's registry). */
const GOING_AWAY = 1001;
const TRY_AGAIN_LATER = 1013;

const STOPPED = 'the node has stopped';

/**
 * A provider of EIP-1193 for a node in the same process. Passes requests to the node without HTTP, under the same rules
 * and limits. Emits
 *
 * - `connect` with a `ProviderConnectInfo`, in the event loop iteration after the provider was created;
 * - `message` with a `ProviderMessage` for each notification of a subscription of `eth_subscribe`;
 * - `disconnect` with a `ProviderRpcError` when the node stops (1001), and when the node can no longer deliver all
 *   notifications of a subscription (1013): that ends all subscriptions of the provider, and `connect` follows;
 * - `accountsChanged` with the addresses, when the result of `eth_accounts` changes;
 * - `chainChanged` with the chain id in hexadecimal, when a chain with another id is loaded.
 */
export class Provider extends ProviderEmitter {
  readonly #node: ProviderNode;
  readonly #chain: ObservedChain;
  readonly #profile: Interface;
  /** The chain's id and the accounts, as reported. */
  #chainId: `0x${string}`;
  #accounts: readonly `0x${string}`[];
  readonly #subscriber: NodeSubscriber;
  readonly #hold = new ProcessHold();
  #isStopped = false;
  #requests = 0;

  /** @internal */
  constructor(node: ProviderNode, chain: ObservedChain, profile: Interface) {
    super();
    this.#node = node;
    this.#chain = chain;
    this.#profile = profile;
    this.#chainId = hexOf(chain.chainId());
    this.#accounts = chain.accounts();
    // A microtask: the change is complete only when its synchronous code has ended.
    chain.onChange(() => queueMicrotask(() => this.#emitChanges()));
    this.#subscriber = {
      client: NO_CLIENT,
      notify: (messages: readonly (readonly Uint8Array[])[]) => {
        for (const message of messages) this.#emitMessage(String(Buffer.concat(message)));
      },
      isBehind: () => false,
      disconnect: (reason: string) => this.#endSubscriptions(reason),
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
    const caller: ProviderCaller = {
      client: NO_CLIENT,
      connection: this,
      notifications: { subscriber: this.#subscriber, afterResponse: (callback) => started.push(callback) },
      isGone: () => this.#isStopped,
    };
    const handled = this.#node.handle(body, caller, this.#profile);
    const response = handled instanceof Promise ? await this.#hold.during(handled) : handled;
    // A dropped request has no response.
    if (response === undefined) throw disconnected();
    const { result, error } = JSON.parse(String(response));
    if (error !== undefined) {
      throw this.#isStopped ? disconnected() : new ProviderRpcError(error.message, error.code, error.data);
    }
    // A stopped node sends no notifications.
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
    this.#node.subscriptions.removeAll(this.#subscriber);
  }

  /** Emits a notification in a microtask, so that an exception of a listener does not affect the subscription. */
  #emitMessage(message: string): void {
    queueMicrotask(() => {
      if (this.#isStopped) return;
      const notification: ProviderMessage = { type: 'eth_subscription', data: JSON.parse(message).params };
      this.emit('message', notification);
    });
  }

  #emitChanges(): void {
    if (this.#isStopped) return;
    const chainId = hexOf(this.#chain.chainId());
    const accounts = this.#chain.accounts();
    const haveAccountsChanged = accounts.join() !== this.#accounts.join();
    const hasChainChanged = chainId !== this.#chainId;
    this.#chainId = chainId;
    this.#accounts = accounts;
    if (hasChainChanged) this.emit('chainChanged', chainId);
    if (haveAccountsChanged) this.emit('accountsChanged', [...accounts]);
  }

  #endSubscriptions(reason: string): void {
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
