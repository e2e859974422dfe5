import {
  PENDING_BYTES_MAX,
  PENDING_GAS_MAX,
  PENDING_TRANSACTIONS_MAX,
  QUEUED_MAX,
  QUEUED_OF_SENDER_MAX,
} from '../../limits.ts';
import { type Address, bytesToHex, type SignedTransaction } from '../../protocol/index.ts';
import { refuse } from '../errors/refusal.ts';
import type { FairShares } from './fair-shares.ts';
import { holderOf, type PendingTransaction, type PendingTransactions } from './pending-transactions.ts';
import type { TipOf } from './prices.ts';

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
 * Checks that the pool can accept one more transaction, perhaps by evicting others: one that pays more than another, or
 * that pays as much as the cheapest ones and whose holder has fewer. The largest holder itself is rejected, so that its
 * accepted transactions are not dropped for new ones.
 * @param size its bytes
 * @param tipOf undefined on a chain where all pay the same
 * @throws RefusedError
 */
export function requireCapacity(
  pending: PendingTransactions,
  transaction: SignedTransaction,
  size: number,
  tipOf: TipOf | undefined,
): void {
  if (tipOf !== undefined) {
    if (!boundsFor(pending, size).some(({ isFull }) => isFull)) return;
    const cheapest = cheapestOf(pending, tipOf);
    const excess = cheapest === undefined ? 1n : tipOf(transaction) - tipOf(cheapest.transaction);
    if (excess > 0n) return;
    if (excess < 0n) refuse({ code: 'poolUnderpriced', most: PENDING_TRANSACTIONS_MAX });
  }
  const holder = holderOf(transaction);
  if (pending.shares.count.of(holder) === 0) return;
  const isRefused = boundsFor(pending, size).some(
    ({ shares, further, isFull }) => isFull && !shares.hasClaim(holder, further),
  );
  if (!isRefused) return;
  const [most, bytes, gas] = [PENDING_TRANSACTIONS_MAX, PENDING_BYTES_MAX, PENDING_GAS_MAX];
  refuse({ code: 'pendingPoolFull', most, bytes, gas });
}

/** Returns the last transaction of a sender that pays least; among equals, of the sender with the most. */
function cheapestOf(pending: PendingTransactions, tipOf: TipOf): PendingTransaction | undefined {
  const { count } = pending.shares;
  let cheapest: { readonly pending: PendingTransaction; readonly tip: bigint } | undefined;
  for (const candidate of pending.evictionCandidates()) {
    const tip = tipOf(candidate.transaction);
    const isCheaper =
      cheapest === undefined ||
      tip < cheapest.tip ||
      (tip === cheapest.tip && count.of(candidate.holder) > count.of(cheapest.pending.holder));
    if (isCheaper) cheapest = { pending: candidate, tip };
  }
  return cheapest?.pending;
}

/** Removes and returns the transactions to evict for one more: the cheapest, or those of the largest holders. */
export function evictFor(
  pending: PendingTransactions,
  size: number,
  tipOf: TipOf | undefined,
): PendingTransaction[] {
  const evicted: PendingTransaction[] = [];
  for (;;) {
    const full = boundsFor(pending, size).find(({ isFull }) => isFull);
    if (full === undefined) return evicted;
    const victim =
      tipOf === undefined ? pending.evictionCandidate(full.shares.largest()) : cheapestOf(pending, tipOf);
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
