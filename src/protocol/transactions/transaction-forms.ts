import {
  bytesToHex,
  concatBytes,
  equalBytes,
  type Hash,
  type OperationHash,
  type Signature,
  toOperationHash,
} from '../bytes/bytes.ts';
import { decode, encode, encodeAfter } from '../codec/codec.ts';
import { time, uint16, uint32 } from '../codec/scalars.ts';
import { struct } from '../codec/structures.ts';
import { ripemd160, sha256, sha256Hex } from '../hashing/hashes.ts';
import { operationCodec } from '../operations/operation-queries.ts';
import type { Operation } from '../operations/operations.ts';
import {
  type ProcessedTransaction,
  resultsCodec,
  type SignedTransaction,
  signaturesCodec,
  signedTransactionCodec,
  type Transaction,
  transactionCodec,
} from './transactions.ts';

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

/** The encodings and hashes of a transaction, each computed once: most steps from the client to the block need them. */
class TransactionForms {
  readonly #transaction: Transaction;
  #unsigned: Uint8Array | undefined;
  /** The encoding with these signatures. */
  #signed:
    | { readonly signatures: readonly Signature[]; readonly flag: boolean; readonly bytes: Uint8Array }
    | undefined;
  #id: Hash | undefined;
  #hexId: string | undefined;
  #digest: { readonly chainId: Hash; readonly digest: Hash } | undefined;
  #operationHashes: readonly OperationHash[] | undefined;

  constructor({ refBlockNum, refBlockPrefix, expiration, operations }: Transaction) {
    this.#transaction = { refBlockNum, refBlockPrefix, expiration, operations };
  }

  /** Returns true for a transaction with the same operations that differs at most in its signatures and results. */
  isOf({ refBlockNum, refBlockPrefix, expiration }: Transaction): boolean {
    const own = this.#transaction;
    return (
      own.refBlockNum === refBlockNum &&
      own.refBlockPrefix === refBlockPrefix &&
      own.expiration === expiration
    );
  }

  unsigned(): Uint8Array {
    this.#unsigned ??= encode(transactionCodec, this.#transaction);
    return this.#unsigned;
  }

  signed(transaction: SignedTransaction): Uint8Array {
    const { signatures, signedWithEchorandKey: flag } = transaction;
    const known = this.#signed;
    if (known !== undefined && known.signatures === signatures && known.flag === flag) return known.bytes;
    const bytes = encodeAfter(this.unsigned(), signaturesCodec, transaction);
    this.#signed = { signatures, flag, bytes };
    return bytes;
  }

  /** Notes the encoding of the transaction with its signatures. */
  noteSigned({ signatures, signedWithEchorandKey: flag }: SignedTransaction, bytes: Uint8Array): void {
    this.#signed = { signatures, flag, bytes };
    const end = bytes.length - encode(signaturesCodec, { signatures, signedWithEchorandKey: flag }).length;
    this.#unsigned = bytes.subarray(0, end);
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
    const { operations, refBlockNum, refBlockPrefix, expiration } = this.#transaction;
    this.#operationHashes ??= operations.map((operation) =>
      operationHash(operation, refBlockNum, refBlockPrefix, expiration),
    );
    return this.#operationHashes;
  }
}

/** By the operations: a transaction and its processed form share them. */
const knownForms = new WeakMap<readonly Operation[], TransactionForms>();

function formsOf(transaction: Transaction): TransactionForms {
  const known = knownForms.get(transaction.operations);
  if (known?.isOf(transaction) === true) return known;
  const forms = new TransactionForms(transaction);
  knownForms.set(transaction.operations, forms);
  return forms;
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
  return formsOf(transaction).digest(chainId);
}

/** Computes SHA-256 of the unsigned transaction, which is the same for every signer. Parameter and error as above. */
export function transactionId(transaction: Transaction | Uint8Array): Hash {
  return transaction instanceof Uint8Array ? sha256(transaction) : formsOf(transaction).id();
}

/** Returns the id of a transaction in hexadecimal, as a key of maps. Error as above. */
export function hexIdOf(transaction: Transaction): string {
  return formsOf(transaction).hexId();
}

/** Encodes a signed transaction. The bytes must not change. @throws {FormatError} as above */
export function signedBytes(transaction: SignedTransaction): Uint8Array {
  return formsOf(transaction).signed(transaction);
}

/** Decodes a signed transaction from bytes that do not change afterwards. Throws as `decode`. */
export function decodeSigned(bytes: Uint8Array): SignedTransaction {
  const transaction = decode(signedTransactionCodec, bytes);
  formsOf(transaction).noteSigned(transaction, bytes);
  return transaction;
}

/** Encodes a processed transaction. @throws {FormatError} as above */
export function processedBytes(transaction: ProcessedTransaction): Uint8Array {
  return encodeAfter(formsOf(transaction).signed(transaction), resultsCodec, transaction);
}

/** Computes the hash of each operation of a transaction, as `operationHash`. @throws {FormatError} as above */
export function operationHashes(transaction: Transaction): readonly OperationHash[] {
  return formsOf(transaction).operationHashes();
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
