import type { Address, Hash } from '../values.ts';

/** Accounts and slots that are warm from the beginning (EIP-2930). */
export type AccessList = readonly { readonly address: Address; readonly storageKeys: readonly Hash[] }[];

/** What transactions of all types say. Amounts are in wei. */
interface SharedFields {
  readonly nonce: bigint;
  /** Limit of the gas. */
  readonly gas: bigint;
  /** Undefined for a creation, whose init code is the data. */
  readonly to: Address | undefined;
  readonly value: bigint;
  readonly data: Uint8Array;
}

/** Type 0, without an envelope. */
export interface LegacyFields extends SharedFields {
  readonly type: 'legacy';
  /** Undefined where the signature is good for every chain: one from before EIP-155. */
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

/** What is signed. */
export type EthereumTransactionFields = LegacyFields | AccessListFields | DynamicFeeFields;

/** A signature, as numbers. */
export interface EthereumSignature {
  readonly r: bigint;
  /** In the lower half of its range (EIP-2). */
  readonly s: bigint;
  readonly yParity: 0 | 1;
}

/** A signed transaction that was read. */
export type EthereumTransaction = EthereumTransactionFields &
  EthereumSignature & {
    /**
     * As it was written: of a legacy transaction 27 or 28, or 35 or 36 and twice the chain id (EIP-155); of others the
     * parity.
     */
    readonly v: bigint;
    /** Keccak-256 of its bytes. */
    readonly hash: Hash;
    /** What the signature is of. */
    readonly signingHash: Hash;
  };
