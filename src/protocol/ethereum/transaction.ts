import { BLOB_GAS } from '../../consensus.ts';
import { type Address, bytesToNumber, type Hash, numberToBytes } from '../bytes/bytes.ts';
import { recoverAddress } from '../curves/recovery.ts';
import { FormatError } from '../protocol-errors.ts';
import type { AuthorizationList } from './authorization.ts';

/** Accounts and slots that are warm from the beginning (EIP-2930). */
export type AccessList = readonly { readonly address: Address; readonly storageKeys: readonly Hash[] }[];

/** The fields of all types. Amounts are in wei. */
interface SharedFields {
  readonly nonce: bigint;
  readonly gas: bigint;
  /** Undefined for a contract creation with the data as init code. */
  readonly to: Address | undefined;
  readonly value: bigint;
  readonly data: Uint8Array;
}

/** Type 0, without a type byte. */
export interface LegacyFields extends SharedFields {
  readonly type: 'legacy';
  /** Undefined for a signature that every chain accepts, from before EIP-155. */
  readonly chainId: bigint | undefined;
  readonly gasPrice: bigint;
}

/** Type 1 (EIP-2930). */
export interface AccessListFields extends SharedFields {
  readonly type: 'accessList';
  readonly chainId: bigint;
  readonly gasPrice: bigint;
  readonly accessList: AccessList;
}

/** Type 2 (EIP-1559). */
export interface DynamicFeeFields extends SharedFields {
  readonly type: 'dynamicFee';
  readonly chainId: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly accessList: AccessList;
}

/** Type 3 (EIP-4844), in its consensus form: without the blobs. */
export interface BlobFields extends SharedFields {
  readonly type: 'blob';
  readonly chainId: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  /** It cannot create a contract. */
  readonly to: Address;
  readonly accessList: AccessList;
  /** Wei for a unit of blob gas, at most. */
  readonly maxFeePerBlobGas: bigint;
  /** Of the commitments to its blobs, in their order; one at least. */
  readonly blobVersionedHashes: readonly Hash[];
}

/** Type 4 (EIP-7702). */
export interface SetCodeFields extends Omit<DynamicFeeFields, 'type'> {
  readonly type: 'setCode';
  /** Never undefined: such a transaction creates no contract. */
  readonly to: Address;
  /** At least one. */
  readonly authorizationList: AuthorizationList;
}

/** The signed fields. */
export type EthereumTransactionFields =
  | LegacyFields
  | AccessListFields
  | DynamicFeeFields
  | BlobFields
  | SetCodeFields;

export interface EthereumSignature {
  readonly r: bigint;
  /** In the lower half of its range (EIP-2). */
  readonly s: bigint;
  readonly yParity: 0 | 1;
}

/** A parsed signed transaction. */
export type EthereumTransaction = EthereumTransactionFields &
  EthereumSignature & {
    /**
     * v as serialized: of a legacy transaction 27 or 28, or 35 or 36 plus twice the chain id (EIP-155); else the
     * parity.
     */
    readonly v: bigint;
    /** Keccak-256 of its bytes. */
    readonly hash: Hash;
    readonly signingHash: Hash;
  };

/** Returns the gas of the blobs of a transaction (EIP-4844). */
export function blobGasOf(transaction: EthereumTransactionFields): bigint {
  return transaction.type === 'blob' ? BigInt(transaction.blobVersionedHashes.length * BLOB_GAS) : 0n;
}

/** Beginning of the message about an impossible signature, equal to geth's. */
export const INVALID_SIGNATURE = 'invalid transaction v, r, s values';

/** Messages about a transaction of type 4 with a wrong form, equal to geth's. */
export const SET_CODE_CREATES = 'EIP-7702 transaction cannot be used to create contract';
export const NO_AUTHORIZATION = 'set code tx must have at least one authorization tuple';

const WORD_BYTES = 32;

/** Recovers the address that signed a transaction. @throws {FormatError} for an impossible signature */
export function recoverSender({ signingHash, r, s, yParity }: EthereumTransaction): Address {
  const sender = recoverAddress(
    signingHash,
    numberToBytes(r, WORD_BYTES),
    numberToBytes(s, WORD_BYTES),
    yParity,
  );
  if (sender === undefined) {
    throw new FormatError('transaction', `${INVALID_SIGNATURE}: no key has made this signature`);
  }
  return sender;
}

/** A number above all addresses, so that r and s are never 0. */
const MARK = 2n ** 160n;

/** Returns the signature of an impersonated transaction: r and s encode the sender. On test chains only. */
export function impersonatedSignature(sender: Address): EthereumSignature {
  const word = MARK + bytesToNumber(sender);
  return { r: word, s: word, yParity: 0 };
}

/** Returns true for the signature of a transaction that impersonates its sender. */
export function isImpersonatedSignature({ r, s, yParity }: EthereumSignature, sender: Address): boolean {
  return r === s && yParity === 0 && r === impersonatedSignature(sender).r;
}
