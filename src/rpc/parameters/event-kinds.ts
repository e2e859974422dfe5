import type { Hash } from '../../protocol/index.ts';
import { type LogCriteria, type LogMatch, matchCriteria } from './log-options.ts';
import type { WithPath } from './schema.ts';

/** The events that a filter reports: docs/interface.md#filters. */
export type FilterKind =
  | { readonly kind: 'newHeads' }
  | { readonly kind: 'logs'; readonly criteria: WithPath<LogCriteria> }
  | { readonly kind: 'newPendingTransactions' };

/** The events that a subscription reports: docs/interface.md#subscriptions. */
export type SubscriptionKind =
  | { readonly kind: 'newHeads' }
  | { readonly kind: 'logs'; readonly match: LogMatch }
  /** Accepted transactions: their hashes, or the transactions themselves. */
  | { readonly kind: 'newPendingTransactions'; readonly isFull: boolean }
  | { readonly kind: 'syncing' }
  /** Of these transactions; of all where there are none. */
  | { readonly kind: 'transactionReceipts'; readonly hashes: readonly Hash[] };

/** Returns the number of addresses, topics and hashes that a subscription names. */
export function criteriaOf(kind: SubscriptionKind): number {
  if (kind.kind === 'logs') return matchCriteria(kind.match);
  return kind.kind === 'transactionReceipts' ? kind.hashes.length : 0;
}
