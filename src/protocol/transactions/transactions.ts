import {
  bytesToHex,
  concatBytes,
  equalBytes,
  type Hash,
  type OperationHash,
  type Signature,
  toOperationHash,
} from '../bytes/bytes.ts';
import { type Codec, decode, encode, encodeAfter } from '../codec/codec.ts';
import { amountNumber, bool, time, uint16, uint32 } from '../codec/scalars.ts';
import { discriminator, emptyExtensions, mapped, struct, variant, vector } from '../codec/structures.ts';
import { ripemd160, sha256, sha256Hex } from '../hashing/hashes.ts';
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
const signaturesCodec = struct<Omit<SignedTransaction, keyof Transaction>>('transaction', signatureFields);

const signedTransactionFields = { ...transactionFields, ...signatureFields };

export const signedTransactionCodec: Codec<SignedTransaction> = mapped(
  struct<SignedTransaction>('transaction', signedTransactionFields),
  (fields) => new ParsedTransaction(fields),
  (transaction) => transaction,
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
const resultsCodec = struct<Omit<ProcessedTransaction, keyof SignedTransaction>>('transaction', resultFields);

/** A signed transaction, its results and the fees charged. */
export const processedTransactionCodec: Codec<ProcessedTransaction> = mapped(
  struct<ProcessedTransaction>('transaction', { ...signedTransactionFields, ...resultFields }),
  (fields) => new ParsedProcessedTransaction(fields),
  (transaction) => transaction,
);

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

/** Bytes of reference block and expiration. */
const HEAD_BYTES = 10;

/**
 * A signed transaction that keeps its encodings and hashes, each computed once: most steps from the client to the block
 * need them. A copy of its fields computes them again.
 */
export class ParsedTransaction implements SignedTransaction {
  readonly refBlockNum: number;
  readonly refBlockPrefix: number;
  readonly expiration: number;
  readonly operations: readonly Operation[];
  readonly signatures: readonly Signature[];
  readonly signedWithEchorandKey: boolean;
  #unsigned: Uint8Array | undefined;
  #signed: Uint8Array | undefined;
  #id: Hash | undefined;
  #hexId: string | undefined;
  #digest: { readonly chainId: Hash; readonly digest: Hash } | undefined;
  #operationHashes: readonly OperationHash[] | undefined;

  /** @param bytes its encoding, if the caller has it */
  constructor(fields: SignedTransaction, bytes?: Uint8Array) {
    this.refBlockNum = fields.refBlockNum;
    this.refBlockPrefix = fields.refBlockPrefix;
    this.expiration = fields.expiration;
    this.operations = fields.operations;
    this.signatures = fields.signatures;
    this.signedWithEchorandKey = fields.signedWithEchorandKey;
    this.#signed = bytes;
  }

  signed(): Uint8Array {
    this.#signed ??= encode(signedTransactionCodec, this);
    return this.#signed;
  }

  unsigned(): Uint8Array {
    this.#unsigned ??= this.signed().subarray(0, -encode(signaturesCodec, this).length);
    return this.#unsigned;
  }

  id(): Hash {
    this.#id ??= sha256(this.unsigned());
    return this.#id;
  }

  hexId(): string {
    this.#hexId ??= this.#id === undefined ? sha256Hex(this.unsigned()) : bytesToHex(this.#id);
    return this.#hexId;
  }

  digest(chainId: Hash): Hash {
    const known = this.#digest;
    if (known !== undefined && equalBytes(known.chainId, chainId)) return known.digest;
    const digest = sha256(concatBytes(chainId, this.unsigned()));
    this.#digest = { chainId, digest };
    return digest;
  }

  operationHashes(): readonly OperationHash[] {
    this.#operationHashes ??=
      this.operations.length === 1
        ? [this.#onlyOperationHash()]
        : this.operations.map((operation) =>
            operationHash(operation, this.refBlockNum, this.refBlockPrefix, this.expiration),
          );
    return this.#operationHashes;
  }

  /** Computes the hash of the only operation from the encoding, between its count and the extensions. */
  #onlyOperationHash(): OperationHash {
    const bytes = this.unsigned();
    const operation = bytes.subarray(HEAD_BYTES + 1, -1);
    return toOperationHash(ripemd160(concatBytes(operation, bytes.subarray(0, HEAD_BYTES))));
  }
}

class ParsedProcessedTransaction extends ParsedTransaction implements ProcessedTransaction {
  readonly operationResults: readonly OperationResult[];
  readonly feesCollected: bigint;

  constructor(fields: ProcessedTransaction) {
    super(fields);
    this.operationResults = fields.operationResults;
    this.feesCollected = fields.feesCollected;
  }
}

function parsed(transaction: Transaction): ParsedTransaction {
  if (transaction instanceof ParsedTransaction) return transaction;
  return new ParsedTransaction({ signatures: [], signedWithEchorandKey: false, ...transaction });
}

/**
 * Computes the digest that every signature of a transaction signs: SHA-256 of the chain id and the unsigned
 * transaction.
 *
 * @param transaction also signed, or the encoding of its unsigned part
 * @throws {FormatError} for a transaction that the format cannot hold
 */
export function transactionDigest(chainId: Hash, transaction: Transaction | Uint8Array): Hash {
  if (transaction instanceof Uint8Array) return sha256(concatBytes(chainId, transaction));
  return parsed(transaction).digest(chainId);
}

/** Computes SHA-256 of the unsigned transaction, which is the same for every signer. Parameter and error as above. */
export function transactionId(transaction: Transaction | Uint8Array): Hash {
  return transaction instanceof Uint8Array ? sha256(transaction) : parsed(transaction).id();
}

/** Returns the id of a transaction in hexadecimal, as a key of maps. Error as above. */
export function hexIdOf(transaction: Transaction): string {
  return parsed(transaction).hexId();
}

/** Encodes a signed transaction. The bytes must not change. @throws {FormatError} as above */
export function signedBytes(transaction: SignedTransaction): Uint8Array {
  return parsed(transaction).signed();
}

/** Decodes a signed transaction from bytes that do not change afterwards. Throws as `decode`. */
export function decodeSigned(bytes: Uint8Array): SignedTransaction {
  return new ParsedTransaction(decode(signedTransactionCodec, bytes), bytes);
}

/** Encodes a transaction with its results. @throws {FormatError} as above */
export function processedBytes(
  transaction: SignedTransaction,
  results: Pick<ProcessedTransaction, 'operationResults' | 'feesCollected'>,
): Uint8Array {
  return encodeAfter(parsed(transaction).signed(), resultsCodec, results);
}

/** Computes the hash of each operation of a transaction, as `operationHash`. @throws {FormatError} as above */
export function operationHashes(transaction: Transaction): readonly OperationHash[] {
  return parsed(transaction).operationHashes();
}

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
