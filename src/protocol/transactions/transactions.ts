import {
  concatBytes,
  type Hash,
  type OperationHash,
  type Signature,
  toOperationHash,
} from '../bytes/bytes.ts';
import { type Codec, encode } from '../codec/codec.ts';
import { amountNumber, bool, time, uint16, uint32 } from '../codec/scalars.ts';
import { discriminator, emptyExtensions, mapped, struct, variant, vector } from '../codec/structures.ts';
import { ripemd160, sha256 } from '../hashing/hashes.ts';
import { type ObjectId, objectIdCodec } from '../objects/identifiers.ts';
import { type AssetAmount, assetAmountCodec, signatureCodec } from '../objects/value-codecs.ts';
import { operationCodec } from '../operations/operation-queries.ts';
import type { Operation } from '../operations/operations.ts';

/** Operations that apply together or not at all, tied to a recent block and valid until a time. */
export interface Transaction {
  /** Low 16 bits of the reference block's number. */
  readonly refBlockNum: number;
  /** Bytes 4 to 7 of the reference block's id, as a little-endian number. */
  readonly refBlockPrefix: number;
  /** Unix seconds. */
  readonly expiration: number;
  readonly operations: readonly Operation[];
}

export interface SignedTransaction extends Transaction {
  readonly signatures: readonly Signature[];
  readonly signedWithEchorandKey: boolean;
}

/** Graphene's `operation_result`: nothing, the id of the object that was created, or an amount. */
export type OperationResult =
  | { readonly type: 'nothing' }
  | { readonly type: 'object'; readonly id: ObjectId }
  | { readonly type: 'amount'; readonly amount: AssetAmount };

/** A transaction in a block: one result for each operation, and the sum of the charged fees. */
export interface ProcessedTransaction extends SignedTransaction {
  readonly operationResults: readonly OperationResult[];
  readonly feesCollected: bigint;
}

const transactionFields = {
  refBlockNum: uint16,
  refBlockPrefix: uint32,
  expiration: time,
  operations: vector(operationCodec),
  extensions: emptyExtensions,
};

/** The part of a transaction that is signed. */
export const transactionCodec: Codec<Transaction> = struct<Transaction>('transaction', transactionFields);

const signedTransactionFields = {
  ...transactionFields,
  signatures: vector(signatureCodec),
  signedWithEchorandKey: bool,
};

export const signedTransactionCodec: Codec<SignedTransaction> = struct<SignedTransaction>(
  'transaction',
  signedTransactionFields,
);

type ResultOf<Type extends OperationResult['type']> = Extract<OperationResult, { readonly type: Type }>;

/** A shared object: its encoding is one byte, so that one object for each would take many times the memory. */
const NOTHING: ResultOf<'nothing'> = Object.freeze({ type: 'nothing' });

export const operationResultCodec: Codec<OperationResult> = variant<OperationResult>('operation_result', {
  nothing: [
    0,
    {
      ...struct<ResultOf<'nothing'>>('nothing', { type: discriminator('nothing') }),
      read: () => NOTHING,
    },
  ],
  object: [
    1,
    mapped(
      objectIdCodec,
      (id): ResultOf<'object'> => ({ type: 'object', id }),
      (result) => result.id,
    ),
  ],
  amount: [
    2,
    mapped(
      assetAmountCodec,
      (amount): ResultOf<'amount'> => ({ type: 'amount', amount }),
      (result) => result.amount,
    ),
  ],
});

/** A signed transaction, its results and the fees charged. */
export const processedTransactionCodec: Codec<ProcessedTransaction> = struct<ProcessedTransaction>(
  'transaction',
  {
    ...signedTransactionFields,
    operationResults: vector(operationResultCodec),
    feesCollected: amountNumber,
  },
);

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

/** Cached encodings of unsigned transactions, which every step from the client to the block needs. */
const knownBytes = new WeakMap<Transaction, Uint8Array>();

function unsignedBytes(transaction: Transaction | Uint8Array): Uint8Array {
  if (transaction instanceof Uint8Array) return transaction;
  const known = knownBytes.get(transaction);
  if (known !== undefined) return known;
  const bytes = encode(transactionCodec, transaction);
  knownBytes.set(transaction, bytes);
  return bytes;
}

/** The hashed data of an operation: the operation with its transaction's reference block and expiration. */
interface HashedOperation extends Omit<Transaction, 'operations'> {
  readonly operation: Operation;
}

const hashedOperationCodec = struct<HashedOperation>('transaction', {
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
    ripemd160(encode(hashedOperationCodec, { operation, refBlockNum, refBlockPrefix, expiration })),
  );
}
