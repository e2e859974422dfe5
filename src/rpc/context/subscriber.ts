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
