import {
  PENDING_BYTES_MAX,
  PENDING_GAS_MAX,
  PENDING_TRANSACTIONS_MAX,
  QUEUED_MAX,
  QUEUED_OF_SENDER_MAX,
} from '../../limits.ts';
import { type Address, bytesToHex } from '../../protocol/index.ts';
import { refuse } from '../errors/refusal.ts';
import type { FairShares } from './fair-shares.ts';
import type { PendingTransaction, PendingTransactions } from './pending-transactions.ts';

interface Bound {
  readonly shares: FairShares;
  /** The amount that one more transaction adds, as known before its execution. */
  readonly further: number;
  /** True if one more exceeds the bound. */
  readonly isFull: boolean;
}

function boundsFor({ shares }: PendingTransactions, size: number): readonly Bound[] {
  const { count, bytes, gas } = shares;
  return [
    { shares: count, further: 1, isFull: count.total >= PENDING_TRANSACTIONS_MAX },
    { shares: bytes, further: size, isFull: bytes.total + size > PENDING_BYTES_MAX },
    // One transaction may exceed it: its gas is known only after its execution.
    { shares: gas, further: 0, isFull: gas.total >= Number(PENDING_GAS_MAX) },
  ];
}

/**
 * Checks that the pool can accept one more transaction of a holder, perhaps by evicting others. The largest holder
 * itself is rejected, so that its accepted transactions are not dropped for new ones.
 * @param size its bytes
 * @throws RefusedError
 */
export function requireCapacity(pending: PendingTransactions, holder: string, size: number): void {
  if (pending.shares.count.of(holder) === 0) return;
  const isRefused = boundsFor(pending, size).some(
    ({ shares, further, isFull }) => isFull && !shares.hasClaim(holder, further),
  );
  if (!isRefused) return;
  const [most, bytes, gas] = [PENDING_TRANSACTIONS_MAX, PENDING_BYTES_MAX, PENDING_GAS_MAX];
  refuse({ code: 'pendingPoolFull', most, bytes, gas });
}

/** Removes and returns the transactions to evict for one more. */
export function evictFor(pending: PendingTransactions, size: number): PendingTransaction[] {
  const evicted: PendingTransaction[] = [];
  for (;;) {
    const full = boundsFor(pending, size).find(({ isFull }) => isFull);
    const holder = full?.shares.largest();
    const victim = holder === undefined ? undefined : pending.evictionCandidate(holder);
    if (victim === undefined) return evicted;
    pending.remove(victim.id);
    evicted.push(victim);
  }
}

/**
 * Removes and returns the transactions to evict for one more queued transaction: the oldest of the sender with the
 * most.
 * @throws RefusedError for a sender at its limit, or for the largest sender of a full queue
 */
export function evictFromQueue(pending: PendingTransactions, sender: Address): PendingTransaction[] {
  const { queue } = pending;
  const { shares } = queue;
  const holder = bytesToHex(sender);
  const [count, most] = [shares.of(holder), QUEUED_OF_SENDER_MAX];
  const isFull = queue.size >= QUEUED_MAX;
  const isRefused = count >= most || (isFull && count > 0 && !shares.hasClaim(holder, 1));
  if (isRefused) refuse({ code: 'queueFull', sender, most });
  const largest = isFull ? shares.largest() : undefined;
  const oldest = largest === undefined ? undefined : queue.oldestOf(largest);
  const victim = oldest && pending.remove(oldest.id);
  return victim === undefined ? [] : [victim];
}
