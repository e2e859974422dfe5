import type { Hash } from '../../protocol/index.ts';
import type { LogMatch } from '../parameters/log-options.ts';

/** What can be subscribed to: docs/interface.md#subscriptions. */
export type SubscriptionKind =
  | { readonly kind: 'newHeads' }
  | { readonly kind: 'logs'; readonly match: LogMatch }
  /** Accepted transactions: their hashes, or the transactions themselves. */
  | { readonly kind: 'newPendingTransactions'; readonly isFull: boolean }
  | { readonly kind: 'syncing' }
  /** Of these transactions; of all where there are none. */
  | { readonly kind: 'transactionReceipts'; readonly hashes: readonly Hash[] };
