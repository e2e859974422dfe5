import { ForkPointError } from '../../fork/index.ts';
import { ethereumEnvelope, type Ledger } from '../../ledger/index.ts';
import type { ChainControl } from '../../rpc/index.ts';
import { withEntries } from '../with-entries.ts';
import type { NodeFork } from './node-fork.ts';

/**
 * Begins a new chain that is a fork, if it is one: its time continues from the remote chain's. With a fork at a
 * transaction, the first block has the transactions before that one.
 * @throws ForkPointError if the rules of this chain reject one of them; and as `RemoteChain.fetch`
 */
export async function beginFork(
  ledger: Pick<Ledger, 'production'>,
  control: Pick<ChainControl, 'setTime'>,
  fork: NodeFork,
): Promise<void> {
  if (fork.opened === undefined) return;
  const { preceding, point } = fork.opened;
  control.setTime(point.timestamp);
  if (preceding.length === 0) return;
  const transactions = preceding.map((raw) => ethereumEnvelope(raw));
  const [refused] = await withEntries(fork, () => ledger.production.mineOnly(transactions, point.timestamp));
  if (refused === undefined) return;
  throw new ForkPointError(
    `the transactions before the chosen one cannot be included after block ${point.number}: ${refused.message}`,
  );
}
