import type { Ledger } from '../../ledger/index.ts';
import { hexIdOf, operationHashes, pendingTransactionHash, toPrefixedHex } from '../../protocol/index.ts';
import type { Time } from '../../time/time.ts';
import type { HttpForwarder } from './forwarder.ts';

/** Milliseconds between two rounds of questions, and transactions of a round. */
const ROUND_MS = 2_000;
const ROUND_TRANSACTIONS = 32;

/**
 * Drops pending transactions that the followed nodes no longer have: they are asked for a few of them at a time.
 * @param onFailure called with the error of a round, such as that of a full disk; the next round tries again
 * @returns the function that stops this
 */
export function watchForwarded(
  { pool }: Pick<Ledger, 'pool'>,
  forwarder: Pick<HttpForwarder, 'mayHave'>,
  time: Pick<Time, 'every'>,
  onFailure: (error: unknown) => void,
): () => void {
  let isAsking = false;
  let isStopped = false;
  let next = 0;
  const ask = async (): Promise<void> => {
    const all = pool.pendingTransactions();
    if (next >= all.length) next = 0;
    const round = all.slice(next, next + ROUND_TRANSACTIONS);
    next += ROUND_TRANSACTIONS;
    const lost = new Set<string>();
    for (const transaction of round) {
      const [hash] = operationHashes(transaction);
      if (hash === undefined) continue;
      const isHad = await forwarder.mayHave(toPrefixedHex(pendingTransactionHash(hash)));
      if (!isHad) lost.add(hexIdOf(transaction));
    }
    if (lost.size > 0 && !isStopped) pool.dropPending((transaction) => lost.has(hexIdOf(transaction)));
  };
  const stop = time.every(ROUND_MS, () => {
    if (isAsking || pool.pendingCount === 0) return;
    isAsking = true;
    void ask()
      .catch(onFailure)
      .finally(() => {
        isAsking = false;
      });
  });
  return () => {
    isStopped = true;
    stop();
  };
}
