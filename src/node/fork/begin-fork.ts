import { ForkPointError } from '../../fork/index.ts';
import { type Ledger, nativeTransactionOf } from '../../ledger/index.ts';
import { keccak256 } from '../../protocol/index.ts';
import type { ChainControl } from '../../rpc/index.ts';
import { withEntries } from '../with-entries.ts';
import type { ForkFolders } from './fork-stores.ts';
import type { NodeFork } from './node-fork.ts';

/**
 * Begins a new chain that is a fork, if it is one: its time continues from the remote chain's. With a fork at a
 * transaction, the first block has the transactions before that one. The time is saved at the end: until then, a start
 * that was killed is repeated. A begun chain without these transactions is that of a reset, after which the node may
 * have been killed before it removed them.
 * @throws ForkPointError if the rules of this chain reject one of them; and as `RemoteChain.fetch`
 */
export async function beginFork(
  { blocks, clock, miner }: Pick<Ledger, 'blocks' | 'clock' | 'miner'>,
  control: Pick<ChainControl, 'setTime'>,
  fork: NodeFork,
  folders: ForkFolders | undefined,
): Promise<void> {
  if (fork.opened === undefined) return;
  const { preceding, point } = fork.opened;
  if (folders?.isBegun === true) {
    const isIncluded = (raw: Uint8Array): boolean =>
      blocks.findIncluded(keccak256(raw))?.block.number === point.number + 1;
    if (!preceding.every(isIncluded)) fork.opened.removePreceding();
    return;
  }
  if (preceding.length > 0 && blocks.head().number === point.number) {
    clock.setTime(point.timestamp);
    const transactions = preceding.map((raw) => nativeTransactionOf(raw));
    const [refused] = await withEntries(fork, () => miner.mineOnly(transactions, point.timestamp));
    if (refused !== undefined) throw refusedPreceding(point.number, refused);
  }
  control.setTime(point.timestamp);
}

function refusedPreceding(number: number, { message }: Error): ForkPointError {
  return new ForkPointError(
    `the transactions before the chosen one cannot be included after block ${number}: ${message}`,
  );
}
