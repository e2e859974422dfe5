import {
  type Hash,
  type KeyPair,
  type Operation,
  type SignedTransaction,
  type Transaction,
  transactionDigest,
} from '../../protocol/index.ts';
import type { BlockSummary } from '../chain/index.ts';
import { referencePrefix } from './transaction-checks.ts';

/**
 * Puts an operation into a transaction that refers to a block and signs it.
 *
 * @param chainId the native chain id, which the signature covers
 * @param reference a block of the chain
 * @param expiration Unix time in seconds after which the transaction is void
 */
export function signTransaction(
  operation: Operation,
  keys: KeyPair,
  chainId: Hash,
  reference: Pick<BlockSummary, 'number' | 'id'>,
  expiration: number,
): SignedTransaction {
  const transaction: Transaction = {
    refBlockNum: reference.number & 0xffff,
    refBlockPrefix: referencePrefix(reference.id),
    expiration,
    operations: [operation],
  };
  const signature = keys.sign(transactionDigest(chainId, transaction));
  return { ...transaction, signatures: [signature], signedWithEchorandKey: false };
}
