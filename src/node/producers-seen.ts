import type { Ledger } from '../ledger/index.ts';
import type { AccountId } from '../protocol/index.ts';

/**
 * Returns a function that counts the other active producers: those of the newest blocks since the start, as many blocks
 * as there are producers. A producer that is skipped is not counted after a round.
 */
export function producersSeen(ledger: Ledger, own: readonly AccountId[]): () => number {
  /** The number of the newest block of each. */
  const newest = new Map<AccountId, number>();
  ledger.chain.onBlock(({ number, header }) => newest.set(header.account, number));
  ledger.history.onReorg(() => newest.clear());
  return () => {
    const oldest = ledger.blocks.head().number - ledger.parameters.genesis.producers.length;
    return [...newest].filter(([account, number]) => number > oldest && !own.includes(account)).length;
  };
}
