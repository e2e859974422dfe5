import type { Ledger } from '../ledger/index.ts';

/**
 * Produces a block every so many seconds while mining is on.
 *
 * @param seconds whole seconds between two blocks
 * @param onFailure told when a block could not be produced; the next one is tried all the same
 * @returns stops the production
 */
export function startBlockTimer(
  ledger: Pick<Ledger, 'isMining' | 'mine'>,
  seconds: number,
  onFailure: (error: unknown) => void,
): () => void {
  const timer = setInterval(() => {
    if (!ledger.isMining()) return;
    try {
      ledger.mine();
    } catch (error) {
      onFailure(error);
    }
  }, seconds * 1_000);
  return () => clearInterval(timer);
}
