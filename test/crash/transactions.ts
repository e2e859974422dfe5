import { referencePrefix } from '../../src/ledger/index.ts';
import {
  type AccountId,
  bytesToHex,
  encode,
  type Hash,
  type KeyPair,
  type Operation,
  operationHash,
  pendingTransactionHash,
  signedTransactionCodec,
  type Transaction,
  toBlockId,
  toPrefixedHex,
  transactionDigest,
} from '../../src/protocol/index.ts';
import type { BlockObject } from '../json-rpc.ts';

/** An account and its key. */
export interface Signer {
  readonly id: AccountId;
  readonly keys: KeyPair;
}

/** A signed transaction that is ready to be sent. */
export interface SignedBytes {
  /** `0x` and the digits of its binary form. */
  readonly raw: string;
  /** RIPEMD-160 of each of its operations, 40 digits; the returned hash ends with the first. */
  readonly operationHashes: readonly string[];
  /** The pending form of the first operation's hash, which sending returns. */
  readonly pendingHash: string;
  /** Unix seconds. */
  readonly expiration: number;
}

/** Bytes of a block hash before the native id. */
const HASH_LEAD_BYTES = 12;

/**
 * Signs operations as one transaction.
 *
 * @param reference a block of the chain, as the interface shows it
 * @param patience seconds after the time of the reference block at which the transaction expires
 */
export function signOperations(
  operations: readonly Operation[],
  { keys }: Signer,
  chainId: Hash,
  reference: Pick<BlockObject, 'number' | 'hash' | 'timestamp'>,
  patience: number,
): SignedBytes {
  const id = toBlockId(Buffer.from(reference.hash.slice(2), 'hex').subarray(HASH_LEAD_BYTES));
  const transaction: Transaction = {
    refBlockNum: Number(reference.number) & 0xffff,
    refBlockPrefix: referencePrefix(id),
    expiration: Number(reference.timestamp) + patience,
    operations,
  };
  const { refBlockNum, refBlockPrefix, expiration } = transaction;
  const signatures = [keys.sign(transactionDigest(chainId, transaction))];
  const hashes = operations.map((one) => operationHash(one, refBlockNum, refBlockPrefix, expiration));
  const [first] = hashes;
  if (first === undefined) throw new RangeError('a transaction has operations');
  return {
    raw: toPrefixedHex(
      encode(signedTransactionCodec, { ...transaction, signatures, signedWithEchorandKey: false }),
    ),
    operationHashes: hashes.map(bytesToHex),
    pendingHash: toPrefixedHex(pendingTransactionHash(first)),
    expiration,
  };
}
