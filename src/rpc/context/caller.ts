import type { ClientConnection } from '../../scheduling/index.ts';
import type { LimitError } from '../errors.ts';
import type { Subscriber } from './subscriber.ts';

/** Who asks, as far as the responses depend on that: one object for each connection. */
export interface Caller extends ClientConnection {
  /** Counts a call; the error that answers it when the caller may not make it now. */
  admit?(): LimitError | undefined;
  /** True if a response may be produced while it is sent; else it is produced before, within narrower bounds. */
  readonly takesRest?: boolean;
  /** Followers that have forwarded its present request; absent: none. */
  readonly hops?: number;
  /** Tells the caller what it has not asked for; absent: it can be told nothing but answers. */
  readonly subscriber?: Subscriber | undefined;
}

/** Name of the header in which a follower says how often a request was forwarded. */
export const FORWARDED_FIELD = 'ledgerd-forwarded';

/** The client of calls that come from nowhere but this process. */
export const NO_CLIENT = '';
