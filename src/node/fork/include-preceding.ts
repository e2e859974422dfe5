import { ForkPointError } from '../../fork/index.ts';
import { ethereumEnvelope, type Ledger } from '../../ledger/index.ts';
import { withEntries } from '../with-entries.ts';
import type { NodeFork } from './node-fork.ts';

/**
 * Makes the first block of a new fork, of the transactions before the one at which the remote chain was forked.
 * @throws ForkPointError if the rules of this chain reject one of them; and as `RemoteChain.fetch`
 */
export async function includePreceding(ledger: Pick<Ledger, 'production'>, fork: NodeFork): Promise<void> {
  const { preceding, point } = fork.opened ?? {};
  if (preceding === undefined || point === undefined || preceding.length === 0) return;
  const transactions = preceding.map((raw) => ethereumEnvelope(raw));
  const [refused] = await withEntries(fork, () => ledger.production.mineOnly(transactions, point.timestamp));
  if (refused === undefined) return;
  throw new ForkPointError(
    `the transactions before the chosen one cannot be included after block ${point.number}: ${refused.message}`,
  );
}
