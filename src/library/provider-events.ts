import { EventEmitter } from 'node:events';

/** The error of a request (EIP-1193): `code` and `data` are those of JSON-RPC 2.0. */
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

/** The notification of a subscription: a provider message of EIP-1193. */
export interface ProviderMessage {
  readonly type: 'eth_subscription';
  readonly data: { readonly subscription: string; readonly result: unknown };
}

/** The value of the event `connect`. */
export interface ProviderConnectInfo {
  /** The chain's id in hexadecimal, such as `0x7a69`. */
  readonly chainId: `0x${string}`;
}

/** The events of a provider, with the arguments of their listeners. */
export interface ProviderEvents {
  readonly connect: readonly [info: ProviderConnectInfo];
  readonly disconnect: readonly [error: ProviderRpcError];
  readonly message: readonly [message: ProviderMessage];
  readonly accountsChanged: readonly [addresses: readonly `0x${string}`[]];
  readonly chainChanged: readonly [chainId: `0x${string}`];
}

type Name = string | symbol;
type Listener = (...values: never[]) => void;
type ListenerOf<Event extends keyof ProviderEvents> = (...values: ProviderEvents[Event]) => void;

/** The interface of Node's `EventEmitter`, without types of Node.js. */
export interface ProviderEmitter {
  on<Event extends keyof ProviderEvents>(event: Event, listener: ListenerOf<Event>): this;
  on(event: Name, listener: Listener): this;
  once<Event extends keyof ProviderEvents>(event: Event, listener: ListenerOf<Event>): this;
  once(event: Name, listener: Listener): this;
  addListener(event: Name, listener: Listener): this;
  prependListener(event: Name, listener: Listener): this;
  prependOnceListener(event: Name, listener: Listener): this;
  off(event: Name, listener: Listener): this;
  removeListener(event: Name, listener: Listener): this;
  removeAllListeners(event?: Name): this;
  emit(event: Name, ...values: unknown[]): boolean;
  eventNames(): Name[];
  listenerCount(event: Name, listener?: Listener): number;
  listeners(event: Name): CallableFunction[];
  rawListeners(event: Name): CallableFunction[];
  getMaxListeners(): number;
  setMaxListeners(count: number): this;
}

/** Node's `EventEmitter`. */
export const ProviderEmitter: new () => ProviderEmitter = EventEmitter;
