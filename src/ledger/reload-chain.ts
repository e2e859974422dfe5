import type { ChainWriter } from './blocks/chain-writer.ts';
import type { LedgerCore } from './core.ts';
import type { ChainHistory } from './queries/ledger-queries.ts';

/** Reason for discarding a block under construction. */
export const REORGANIZED = 'the chain was reorganised';

/**
 * Handles a reorganisation of the store: clears everything in memory about the chain, discards a block under
 * construction, checks pending transactions again, and notifies all listeners.
 */
export function reloadChain({ store, origin }: LedgerCore, writer: ChainWriter, history: ChainHistory): void {
  writer.discard(REORGANIZED);
  origin.state.reload();
  origin.pool.reload();
  history.clearBlocks(Math.max(history.reorgCount + 1, store.reorgCount()));
}
