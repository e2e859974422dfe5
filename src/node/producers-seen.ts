import type { Ledger } from '../ledger/index.ts';
import type { AccountId } from '../protocol/index.ts';

/**
 * Returns a function that counts other active producers: those of the blocks since the start, within the last round.
 */
export function producersSeen(ledger: Ledger, own: readonly AccountId[]): () => number {
  /** Number of the newest block of each producer. */
  const newest = new Map<AccountId, number>();
  ledger.chain.onBlock(({ number, header }) => newest.set(header.account, number));
  ledger.history.onReorg(() => newest.clear());
  return () => {
    const oldest = ledger.blocks.head().number - ledger.parameters.genesis.producers.length;
    return [...newest].filter(([account, number]) => number > oldest && !own.includes(account)).length;
  };
}
