import type { ClientConnection } from '../../scheduling/index.ts';
import type { LimitError } from '../rpc-errors.ts';

/** The connection of a call that can be notified. */
export interface CallNotifications {
  readonly subscriber: Subscriber;
  /** Calls back after the response to the call, or to its batch, was written; never without a response. */
  afterResponse(callback: () => void): void;
}

/** The client of a call: an object for each connection, or for each of its messages. */
export interface Caller extends ClientConnection {
  /** Counts a call. Returns an error if the caller may not make it now. */
  admit?(): LimitError | undefined;
  /** True if a response may be produced while it is sent; else it is produced before, within narrower bounds. */
  readonly acceptsStreams?: boolean;
  /** Number of followers that forwarded its present request; absent: none. */
  readonly hops?: number;
  /** Absent: the caller receives no notifications. */
  readonly notifications?: CallNotifications | undefined;
}

/** Name of the header with the number of followers that forwarded a request. */
export const FORWARDED_HEADER = 'ledgerd-forwarded';

export const NO_CLIENT = '';

/** A message in parts. All except the first are shared with other subscribers. */
export type Message = readonly Uint8Array[];

export interface Subscriber {
  /** Client to which it is counted, the same for all connections from an address. */
  readonly client: string;
  /** Sends messages after all earlier ones. */
  notify(messages: readonly Message[]): void;
  /** Returns true if the client reads too slowly to get more messages now. */
  isBehind(): boolean;
  /** Closes the connection after missed notifications. @param reason text for the client */
  disconnect(reason: string): void;
}
