import type { Codec } from '../codec/codec.ts';
import { vector } from '../codec/collections.ts';
import { amountNumber, bool, time, uint16, uint32 } from '../codec/numbers.ts';
import { discriminator, emptyExtensions, mapped, struct, variant } from '../codec/structures.ts';
import { type AssetAmount, assetAmountCodec } from '../objects/assets.ts';
import { objectIdCodec } from '../objects/identifier-codecs.ts';
import type { ObjectId } from '../objects/identifiers.ts';
import { signatureCodec } from '../objects/value-codecs.ts';
import { operationCodec } from '../operations/operation-queries.ts';
import type { Operation } from '../operations/operations.ts';
import type { Signature } from '../values.ts';

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

/** A transaction as it is submitted. */
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

/** One for all: in encoded form it takes a byte, so that a list of objects would take many times the memory. */
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
