import type { Address } from '../protocol/index.ts';

export interface StoredTransaction {
  /** Index, within the block, of the transaction's first operation. */
  readonly firstOperation: number;
  /** The transaction's record, opaque to the store. */
  readonly bytes: Uint8Array;
}

export interface OperationPosition {
  readonly block: number;
  /** Index of the operation within the block. */
  readonly index: number;
}

/** An address that an operation of a block involves. */
export interface InvolvedAddress {
  /** Index of the operation within the block. */
  readonly operation: number;
  readonly address: Address;
  /** True if it sent the operation, and paid its fee if there is one. */
  readonly isSender: boolean;
}

export interface AddressOperation extends OperationPosition {
  readonly isSender: boolean;
}

export interface AddressOperationQuery {
  readonly address: Address;
  /** Newest first from before a position on, or oldest first from after it on. */
  readonly order: 'newestFirst' | 'oldestFirst';
  /** Absent: the newest or the oldest position of the chain. */
  readonly from?: OperationPosition | undefined;
  readonly limit: number;
}
