import type { Ledger } from '../ledger/index.ts';

/** The state after what waits for a block. */
export type PendingState = Pick<
  Ledger,
  'pendingCount' | 'pendingNonceOf' | 'pendingWeiBalanceOf' | 'pendingCall' | 'pendingEthereumEstimate'
>;
