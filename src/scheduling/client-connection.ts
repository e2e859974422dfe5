import type { ConnectionBudget } from './memory-budget.ts';

/** A connection whose client requests work: one object for each, or for each of its messages. */
export interface ClientConnection {
  /** The client that the connection is counted with: the same for all connections of an address. */
  readonly client: string;
  /** Returns true if no response can reach the client any more: what has not begun is not run then. */
  isGone?(): boolean;
  /** The connection, for fair queueing, where there is a caller for each message. Absent: the caller itself. */
  readonly connection?: object | undefined;
  /** Memory held for the connection; absent: not counted. */
  readonly account?: ConnectionBudget | undefined;
}
