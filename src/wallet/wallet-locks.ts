import type { SnapshotPart } from '../ledger/index.ts';
import type { ChangedLocks } from './locks.ts';
import type { Wallet } from './wallet.ts';

/** The locks of a wallet's accounts, as a snapshot of the chain holds them. */
export function walletLocks(wallet: Pick<Wallet, 'changedLocks' | 'setLocks'>): SnapshotPart {
  return {
    name: 'walletLocks',
    hold: () => {
      const changed = wallet.changedLocks();
      return Object.keys(changed).length === 0 ? undefined : changed;
    },
    takeUp: (held) => wallet.setLocks(readLocks(held)),
  };
}

/** What is not as it should be is left out. */
export function readLocks(held: unknown): ChangedLocks {
  const locks: Record<string, number | null> = {};
  for (const [name, left] of Object.entries(Object(held))) {
    if (left === null || typeof left === 'number') locks[name] = left;
  }
  return locks;
}
