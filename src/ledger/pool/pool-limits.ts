import {
  type Address,
  bytesToHex,
  delegationOf,
  type EthereumTransactionOperation,
  type SignedTransaction,
} from '../../protocol/index.ts';
import { refuse } from '../errors/refusal.ts';
import { checkGas } from '../operations/ethereum-transaction.ts';
import type { WorkingState } from '../state/working-state.ts';
import { authoritiesOf, type SenderNonce } from '../transactions/native-transaction.ts';
import type { FairShares } from './fair-shares.ts';
import {
  holderOf,
  PENDING_BYTES_MAX,
  PENDING_GAS_MAX,
  PENDING_TRANSACTIONS_MAX,
  type PendingTransaction,
  type PoolIndex,
} from './pool-index.ts';
import type { TipOf } from './prices.ts';

/** Ethereum transactions that are queued for lower nonces: of one sender, and in all. */
export const QUEUED_OF_SENDER_MAX = 64;
export const QUEUED_MAX = 1_024;

interface Bound {
  readonly shares: FairShares;
  /** The amount that one more transaction adds, as known before its execution. */
  readonly further: number;
  /** True if one more exceeds the bound. */
  readonly isFull: boolean;
}

function boundsFor({ shares }: PoolIndex, size: number): readonly Bound[] {
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
  index: PoolIndex,
  transaction: SignedTransaction,
  size: number,
  tipOf: TipOf | undefined,
): void {
  if (tipOf !== undefined) {
    if (!boundsFor(index, size).some(({ isFull }) => isFull)) return;
    const cheapest = cheapestOf(index, tipOf);
    const excess = cheapest === undefined ? 1n : tipOf(transaction) - tipOf(cheapest.transaction);
    if (excess > 0n) return;
    if (excess < 0n) refuse({ code: 'poolUnderpriced', most: PENDING_TRANSACTIONS_MAX });
  }
  const holder = holderOf(transaction);
  if (index.shares.count.of(holder) === 0) return;
  const isRefused = boundsFor(index, size).some(
    ({ shares, further, isFull }) => isFull && !shares.hasClaim(holder, further),
  );
  if (!isRefused) return;
  const most = PENDING_TRANSACTIONS_MAX;
  const bytes = PENDING_BYTES_MAX;
  const gas = PENDING_GAS_MAX;
  refuse({ code: 'pendingPoolFull', most, bytes, gas });
}

/** Returns the last transaction of a sender that pays least; among equals, of the sender with the most. */
function cheapestOf(index: PoolIndex, tipOf: TipOf): PendingTransaction | undefined {
  const { count } = index.shares;
  let cheapest: { readonly pending: PendingTransaction; readonly tip: bigint } | undefined;
  for (const candidate of index.evictionCandidates()) {
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
export function evictFor(index: PoolIndex, size: number, tipOf: TipOf | undefined): PendingTransaction[] {
  const evicted: PendingTransaction[] = [];
  for (;;) {
    const full = boundsFor(index, size).find(({ isFull }) => isFull);
    if (full === undefined) return evicted;
    const victim =
      tipOf === undefined ? index.evictionCandidate(full.shares.largest()) : cheapestOf(index, tipOf);
    if (victim === undefined) return evicted;
    index.remove(victim.id);
    evicted.push(victim);
  }
}

/**
 * Removes and returns the transactions to evict for one more queued transaction: the oldest of the sender with the
 * most.
 * @throws RefusedError for a sender at its limit, or for the largest sender of a full queue
 */
export function evictFromQueue(index: PoolIndex, sender: Address): PendingTransaction[] {
  const { queue } = index;
  const { shares } = queue;
  const holder = bytesToHex(sender);
  const count = shares.of(holder);
  const most = QUEUED_OF_SENDER_MAX;
  const isFull = queue.size >= QUEUED_MAX;
  const isRefused = count >= most || (isFull && count > 0 && !shares.hasClaim(holder, 1));
  if (isRefused) refuse({ code: 'queueFull', sender, most });
  const largest = isFull ? shares.largest() : undefined;
  const oldest = largest === undefined ? undefined : queue.oldestOf(largest);
  const victim = oldest && index.remove(oldest.id);
  return victim === undefined ? [] : [victim];
}

/**
 * Checks the limits of the pool for delegations (EIP-7702), which are geth's. Any transaction can spend the balance of
 * a delegated account, so that a single one could invalidate all that the account has pending. An account with a
 * delegation, or with a pending authorization, therefore has at most one pending transaction, and an authority at most
 * one when its authorization arrives.
 * @param operation undefined for a native transaction, which has no limits
 * @throws RefusedError
 */
export function requireDelegationLimits(
  index: PoolIndex,
  state: WorkingState,
  operation: EthereumTransactionOperation | undefined,
): void {
  if (operation === undefined) return;
  const { sender, innerTransaction } = operation;
  const { nonce } = innerTransaction;
  const isLimited = index.isAuthority(bytesToHex(sender)) || isDelegated(state, operation);
  if (isLimited) requireOnlyOne(index, state, { sender, nonce });
  if (innerTransaction.type !== 'setCode') return;
  // Recovers no more authorities than the transaction pays for.
  checkGas(state, innerTransaction);
  const isReserved = authoritiesOf(operation).some((authority) => index.shares.count.of(authority) > 1);
  if (isReserved) refuse({ code: 'authorityReserved' });
}

function isDelegated(state: WorkingState, { sender }: EthereumTransactionOperation): boolean {
  const hasCode = state.engine.accountState(sender)?.codeHash !== undefined;
  return hasCode && delegationOf(state.codeAt(sender)) !== undefined;
}

/** Accepts the next transaction of a sender without pending ones, or a replacement. */
function requireOnlyOne(index: PoolIndex, state: WorkingState, senderNonce: SenderNonce): void {
  if (index.at(senderNonce) !== undefined) return;
  const { sender, nonce } = senderNonce;
  const holder = bytesToHex(sender);
  const isReady = index.shares.count.of(holder) > index.queue.shares.of(holder);
  if (isReady) refuse({ code: 'delegatedInFlight' });
  if (nonce > (state.engine.accountState(sender)?.nonce ?? 0n)) refuse({ code: 'delegatedGap' });
}
