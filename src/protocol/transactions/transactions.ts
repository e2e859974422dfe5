import type { Signature } from '../bytes/bytes.ts';
import type { Codec } from '../codec/codec.ts';
import { amountNumber, bool, time, uint16, uint32 } from '../codec/scalars.ts';
import { discriminator, emptyExtensions, mapped, struct, variant, vector } from '../codec/structures.ts';
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

const signatureFields = { signatures: vector(signatureCodec), signedWithEchorandKey: bool };

/** The end of a signed transaction, behind its unsigned part. */
export const signaturesCodec = struct<Omit<SignedTransaction, keyof Transaction>>(
  'transaction',
  signatureFields,
);

const signedTransactionFields = { ...transactionFields, ...signatureFields };

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

const resultFields = { operationResults: vector(operationResultCodec), feesCollected: amountNumber };

/** The end of a processed transaction, behind its signed part. */
export const resultsCodec = struct<Omit<ProcessedTransaction, keyof SignedTransaction>>(
  'transaction',
  resultFields,
);

/** A signed transaction, its results and the fees charged. */
export const processedTransactionCodec: Codec<ProcessedTransaction> = struct<ProcessedTransaction>(
  'transaction',
  { ...signedTransactionFields, ...resultFields },
);
