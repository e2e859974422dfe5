import type { IncludedOperation, Ledger, LedgerQueries, PendingOperation } from '../../../ledger/index.ts';
import { type Address, equalBytes, isEthereumTransaction } from '../../../protocol/index.ts';

/**
 * The included transaction of a sender with a nonce; else, where operations are counted, the operation of a native
 * account before which it had paid for so many.
 */
export function includedWithNonce(
  { blocks, accounts }: LedgerQueries,
  sender: Address,
  nonce: bigint,
): IncludedOperation | undefined {
  const own = blocks.operationOfSender(sender, nonce);
  if (own !== undefined || !accounts.hasHistory) return own;
  const counted = blocks.paidOperation(sender, nonce);
  // The nonces of an account are more than its counted operations on a fork, or after `anvil_setNonce`.
  return counted !== undefined && isEthereumTransaction(counted.operation) ? undefined : counted;
}

/** Returns the pending transaction of a sender with a nonce. */
export function pendingWithNonce(
  { pool }: Pick<Ledger, 'pool'>,
  sender: Address,
  nonce: bigint,
): PendingOperation | undefined {
  return [...pool.pendingOperations(), ...pool.queuedOperations()].find(({ operation }) => {
    if (!isEthereumTransaction(operation) || !equalBytes(operation.sender, sender)) return false;
    return operation.innerTransaction.nonce === nonce;
  });
}
