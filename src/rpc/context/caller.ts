import type { LimitError } from '../errors.ts';
import type { Account } from '../memory/accountant.ts';
import type { Subscriber } from './subscriber.ts';

/** Who asks, as far as the responses depend on that: one object for each connection. */
export interface Caller {
  /** Whom the connection is counted with: all those of an address have the same one. */
  readonly client: string;
  /** Counts a call; the error that answers it when the caller may not make it now. */
  admit?(): LimitError | undefined;
  /** Whether no response can reach the caller any more: what has not begun is not carried out then. */
  isGone?(): boolean;
  /** True if a response may be produced while it is sent; else it is produced before, within narrower bounds. */
  readonly takesRest?: boolean;
  /** Followers that have forwarded its present request; absent: none. */
  readonly hops?: number;
  /** Counts the bytes that are held for the caller; absent: nobody counts. */
  readonly account?: Account | undefined;
  /** Tells the caller what it has not asked for; absent: it can be told nothing but answers. */
  readonly subscriber?: Subscriber | undefined;
}

/** Name of the header in which a follower says how often a request was forwarded. */
export const FORWARDED_FIELD = 'ledgerd-forwarded';

/** The client of calls that come from nowhere but this process. */
export const NO_CLIENT = '';
