import type { SnapshotPart } from '../ledger/index.ts';
import type { EthereumWallet, EthereumWalletChanges } from './ethereum-wallet.ts';
import type { Impersonation, ImpersonationState } from './impersonation.ts';
import type { ChangedLocks } from './keyring.ts';
import type { Wallet } from './wallet.ts';

/** Returns the state of both wallets in snapshots of the chain. */
export function walletParts(wallet: Wallet, ethereumWallet: EthereumWallet): SnapshotPart[] {
  return [locksPart(wallet), impersonationPart(wallet.impersonation), ethereumWalletPart(ethereumWallet)];
}

function locksPart(wallet: Wallet): SnapshotPart {
  return {
    name: 'walletLocks',
    capture: () => {
      const changed = wallet.changedLocks();
      return Object.keys(changed).length === 0 ? undefined : changed;
    },
    restore: (held) => wallet.setLocks(readLocks(held)),
  };
}

function impersonationPart(impersonation: Impersonation): SnapshotPart {
  const { initial } = impersonation;
  const restore = (held: unknown): void =>
    impersonation.restore(held === undefined ? initial : readImpersonation(held));
  return {
    name: 'impersonation',
    capture: () => (impersonation.isUsed || initial.auto ? impersonation.state : undefined),
    restore,
    kept: {
      reorgCount: () => impersonation.storedReorgCount() ?? Number.POSITIVE_INFINITY,
      catchUp: restore,
    },
  };
}

/** Returns the snapshot part of created secp256k1 keys and all locks. */
export function ethereumWalletPart(
  wallet: Pick<EthereumWallet, 'changes' | 'restore' | 'storedReorgCount'>,
): SnapshotPart {
  return {
    name: 'ethereumWallet',
    capture: () => wallet.changes(),
    restore: (held) => wallet.restore(readChanges(held)),
    kept: {
      reorgCount: () => wallet.storedReorgCount() ?? Number.POSITIVE_INFINITY,
      // Locks are in their initial state at every start.
      catchUp: (held) => wallet.restore({ created: readChanges(held).created, locks: {} }),
    },
  };
}

// A missing or malformed value of a snapshot counts as the initial one.

function readChanges(held: unknown): EthereumWalletChanges {
  const { created, locks }: Partial<Record<keyof EthereumWalletChanges, unknown>> = Object(held);
  return { created: typeof created === 'number' ? created : 0, locks: readLocks(locks) };
}

function readImpersonation(held: unknown): ImpersonationState {
  const { impersonated, auto }: Partial<Record<keyof ImpersonationState, unknown>> = Object(held);
  const addresses: unknown[] = Array.isArray(impersonated) ? impersonated : [];
  return { impersonated: addresses.filter((one) => typeof one === 'string'), auto: auto === true };
}

function readLocks(held: unknown): ChangedLocks {
  const locks: Record<string, number | null> = {};
  for (const [name, left] of Object.entries(Object(held))) {
    if (left === null || typeof left === 'number') locks[name] = left;
  }
  return locks;
}
