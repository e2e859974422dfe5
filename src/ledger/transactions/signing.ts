import {
  type Hash,
  type KeyPair,
  type Operation,
  type SignedTransaction,
  type TestCall,
  type TestWeiCall,
  type Transaction,
  transactionDigest,
} from '../../protocol/index.ts';
import type { SignatureChecks } from '../authorities/signature-checks.ts';
import type { BlockSummary } from '../chain/records.ts';
import { referencePrefix } from './transaction-checks.ts';

/** The reference block of a transaction. */
type ReferenceBlock = Pick<BlockSummary, 'number' | 'id'>;

/**
 * Makes and signs a transaction of one operation.
 *
 * @param chainId the native chain id, which the signature covers
 * @param reference a block of the chain
 * @param expiration Unix time in seconds after which the transaction is invalid
 * @param checks those of the ledger that receives it, which need not repeat the check; absent: it is checked
 */
export function signTransaction(
  operation: Operation,
  keys: KeyPair,
  chainId: Hash,
  reference: ReferenceBlock,
  expiration: number,
  checks?: Pick<SignatureChecks, 'noteMade'>,
): SignedTransaction {
  const transaction = transactionOf(operation, reference, expiration);
  const digest = transactionDigest(chainId, transaction);
  const signature = keys.sign(digest);
  checks?.noteMade(keys.publicKey, digest, signature);
  return { ...transaction, signatures: [signature], signedWithEchorandKey: false };
}

/**
 * Puts a test call into a transaction that refers to a block; nobody signs it.
 *
 * @param reference a block of the chain
 * @param expiration Unix time in seconds after which the transaction is void
 */
export function unsignedTransaction(
  operation: TestCall | TestWeiCall,
  reference: ReferenceBlock,
  expiration: number,
): SignedTransaction {
  const transaction = transactionOf(operation, reference, expiration);
  return { ...transaction, signatures: [], signedWithEchorandKey: false };
}

function transactionOf(
  operation: Operation,
  { number, id }: ReferenceBlock,
  expiration: number,
): Transaction {
  return {
    refBlockNum: number & 0xffff,
    refBlockPrefix: referencePrefix(id),
    expiration,
    operations: [operation],
  };
}
