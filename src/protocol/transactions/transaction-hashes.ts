import { concatBytes } from '../bytes/bytes.ts';
import { encode } from '../codec/codec.ts';
import { time, uint16, uint32 } from '../codec/numbers.ts';
import { struct } from '../codec/structures.ts';
import { ripemd160, sha256 } from '../hashing/digests.ts';
import { operationCodec } from '../operations/operation-queries.ts';
import type { Operation } from '../operations/operations.ts';
import { type Hash, type OperationHash, toOperationHash } from '../values.ts';
import { type Transaction, transactionCodec } from './transactions.ts';

/**
 * Computes the digest that every signature of a transaction signs: SHA-256 of the chain id and the unsigned
 * transaction.
 *
 * @param transaction also signed, or the encoding of its unsigned part
 * @throws {FormatError} for a transaction that the format cannot hold
 */
export function transactionDigest(chainId: Hash, transaction: Transaction | Uint8Array): Hash {
  return sha256(concatBytes(chainId, unsignedBytes(transaction)));
}

/** Computes SHA-256 of the unsigned transaction, which is the same for every signer. Parameter and error as above. */
export function transactionId(transaction: Transaction | Uint8Array): Hash {
  return sha256(unsignedBytes(transaction));
}

/** Encodings of unsigned transactions, which every step from the client to the block needs. */
const knownBytes = new WeakMap<Transaction, Uint8Array>();

function unsignedBytes(transaction: Transaction | Uint8Array): Uint8Array {
  if (transaction instanceof Uint8Array) return transaction;
  const known = knownBytes.get(transaction);
  if (known !== undefined) return known;
  const bytes = encode(transactionCodec, transaction);
  knownBytes.set(transaction, bytes);
  return bytes;
}

/** An operation with its transaction's reference block and expiration. */
interface PlacedOperation extends Omit<Transaction, 'operations'> {
  readonly operation: Operation;
}

const placedCodec = struct<PlacedOperation>('transaction', {
  operation: operationCodec,
  refBlockNum: uint16,
  refBlockPrefix: uint32,
  expiration: time,
});

/**
 * Computes RIPEMD-160 of an operation with its leading number, then its transaction's reference block and expiration
 * (Unix seconds).
 *
 * @throws {FormatError} for an operation or a number that the format cannot hold
 */
export function operationHash(
  operation: Operation,
  refBlockNum: number,
  refBlockPrefix: number,
  expiration: number,
): OperationHash {
  return toOperationHash(
    ripemd160(encode(placedCodec, { operation, refBlockNum, refBlockPrefix, expiration })),
  );
}
