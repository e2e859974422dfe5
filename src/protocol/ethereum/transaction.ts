import type { Address, Hash } from '../values.ts';

/** Accounts and slots that are warm from the beginning (EIP-2930). */
export type AccessList = readonly { readonly address: Address; readonly storageKeys: readonly Hash[] }[];

/** The fields of all types. Amounts are in wei. */
interface SharedFields {
  readonly nonce: bigint;
  /** Gas limit. */
  readonly gas: bigint;
  /** Undefined for a creation, whose init code is the data. */
  readonly to: Address | undefined;
  readonly value: bigint;
  readonly data: Uint8Array;
}

/** Type 0, without an envelope. */
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

/** The signed fields. */
export type EthereumTransactionFields = LegacyFields | AccessListFields | DynamicFeeFields;

/** A signature, as numbers. */
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
    /** The signed hash. */
    readonly signingHash: Hash;
  };
