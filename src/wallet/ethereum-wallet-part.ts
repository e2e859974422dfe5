import type { SnapshotPart } from '../ledger/index.ts';
import type { EthereumWallet, EthereumWalletChanges } from './ethereum-wallet.ts';
import { readLocks } from './wallet-locks.ts';

/** The keys that were created for Ethereum's tools, and all locks, as a snapshot of the chain holds them. */
export function ethereumWalletPart(
  wallet: Pick<EthereumWallet, 'changes' | 'restore' | 'keptEpoch'>,
): SnapshotPart {
  return {
    name: 'ethereumWallet',
    hold: () => wallet.changes(),
    takeUp: (held) => wallet.restore(readChanges(held)),
    kept: {
      epoch: () => wallet.keptEpoch() ?? Number.POSITIVE_INFINITY,
      // Locks are as at every start.
      catchUp: (held) => wallet.restore({ created: readChanges(held).created, locks: {} }),
    },
  };
}

/** What is not there, or not as it should be, is as at first. */
function readChanges(held: unknown): EthereumWalletChanges {
  const { created, locks }: Partial<Record<keyof EthereumWalletChanges, unknown>> = Object(held);
  return { created: typeof created === 'number' ? created : 0, locks: readLocks(locks) };
}
