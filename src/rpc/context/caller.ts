import type { ClientConnection } from '../../scheduling/index.ts';
import type { LimitError } from '../errors.ts';

/** A transport's side of a call that can notify its client. */
export interface CallNotifications {
  readonly subscriber: Subscriber;
  /** Calls back once the response to the call, or to its batch, was written; never for none. */
  afterResponse(callback: () => void): void;
}

/** The client of a call: one object for each connection, or for each of its messages. */
export interface Caller extends ClientConnection {
  /** Counts a call; returns the error of one that the caller may not make now. */
  admit?(): LimitError | undefined;
  /** True if a response may be produced while it is sent; else it is produced before, within narrower bounds. */
  readonly acceptsStreams?: boolean;
  /** Followers that have forwarded its present request; absent: none. */
  readonly hops?: number;
  /** Absent: the caller gets responses alone. */
  readonly notifications?: CallNotifications | undefined;
}

/** Name of the header with the number of followers that forwarded a request. */
export const FORWARDED_FIELD = 'ledgerd-forwarded';

/** The client of calls that come from nowhere but this process. */
export const NO_CLIENT = '';

/** A message in parts, of which all but the first are shared with other subscribers. */
export type Message = readonly Uint8Array[];

/** A connection that can notify its client. */
export interface Subscriber {
  /** The client that it is counted for: all connections of an address have the same one. */
  readonly client: string;
  /** Sends messages, after all that were sent before. */
  notify(messages: readonly Message[]): void;
  /** True if the client reads too slowly to be sent more for now. */
  isBehind(): boolean;
  /** Ends the connection, which has missed notifications; the reason is for the client. */
  disconnect(reason: string): void;
}
