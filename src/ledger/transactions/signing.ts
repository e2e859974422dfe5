import {
  type Hash,
  type KeyPair,
  type Operation,
  ParsedTransaction,
  type SignedTransaction,
  type TestCall,
  type TestWeiCall,
  type Transaction,
  transactionDigest,
} from '../../protocol/index.ts';
import type { SignatureChecks } from '../authorities/signature-checks.ts';
import type { BlockSummary } from '../chain/records.ts';
import { referencePrefix } from './transaction-checks.ts';

type ReferenceBlock = Pick<BlockSummary, 'number' | 'id'>;

/**
 * Makes and signs a transaction of one operation.
 * @param chainId the native chain id, which the signature covers
 * @param reference a block of the chain
 * @param expiration Unix time in seconds after which the transaction is invalid
 * @param checks cache of the receiving ledger, which then skips the check; absent: it checks the signature
 */
export function signTransaction(
  operation: Operation,
  keys: KeyPair,
  chainId: Hash,
  reference: ReferenceBlock,
  expiration: number,
  checks?: Pick<SignatureChecks, 'recordMade'>,
): SignedTransaction {
  const transaction = transactionOf(operation, reference, expiration);
  const digest = transactionDigest(chainId, transaction);
  const signature = keys.sign(digest);
  checks?.recordMade(keys.publicKey, digest, signature);
  return new ParsedTransaction({ ...transaction, signatures: [signature], signedWithEchorandKey: false });
}

/**
 * Makes an unsigned transaction of a test call.
 * @param reference a block of the chain
 * @param expiration Unix time in seconds after which the transaction is void
 */
export function unsignedTransaction(
  operation: TestCall | TestWeiCall,
  reference: ReferenceBlock,
  expiration: number,
): SignedTransaction {
  const transaction = transactionOf(operation, reference, expiration);
  return new ParsedTransaction({ ...transaction, signatures: [], signedWithEchorandKey: false });
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
