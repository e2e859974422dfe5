import type { ClientConnection } from '../../scheduling/index.ts';
import type { LimitError } from '../errors.ts';

/** A transport's side of a call that can notify its client. */
export interface CallNotifications {
  readonly subscriber: Subscriber;
  /** Calls back once the response to the call, or to its batch, was written; never where there is none. */
  afterResponse(callback: () => void): void;
}

/** Who asks, as far as the responses depend on that: one object for each connection, or for each of its messages. */
export interface Caller extends ClientConnection {
  /** Counts a call; the error that answers it when the caller may not make it now. */
  admit?(): LimitError | undefined;
  /** True if a response may be produced while it is sent; else it is produced before, within narrower bounds. */
  readonly takesRest?: boolean;
  /** Followers that have forwarded its present request; absent: none. */
  readonly hops?: number;
  /** Absent: the caller gets responses alone. */
  readonly notifications?: CallNotifications | undefined;
}

/** Name of the header in which a follower says how often a request was forwarded. */
export const FORWARDED_FIELD = 'ledgerd-forwarded';

/** The client of calls that come from nowhere but this process. */
export const NO_CLIENT = '';

/** A message in parts, of which all but the first are shared with other subscribers. */
export type Message = readonly Uint8Array[];

/** Whom subscriptions tell: a connection by which a client can be told something that it has not asked for. */
export interface Subscriber {
  /** Whom it is counted with: all those of an address have the same one. */
  readonly client: string;
  /** Sends messages, after all that were sent before. */
  tell(messages: readonly Message[]): void;
  /** Whether it has so much to take that it is told nothing for now. */
  isBehind(): boolean;
  /** Ends the connection, since its client can't be told everything; the reason is for the client. */
  giveUp(reason: string): void;
}
