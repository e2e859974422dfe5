import type { Address } from '../protocol/index.ts';

/** A transaction of a block. */
export interface StoredTransaction {
  /** Index, within the block, of the transaction's first operation. */
  readonly firstOperation: number;
  /** The transaction's record, opaque to the store. */
  readonly bytes: Uint8Array;
}

/** Where an included operation stands. */
export interface OperationPosition {
  /** Block number. */
  readonly block: number;
  /** Index of the operation within the block. */
  readonly index: number;
}

/** An address that an operation of a block has to do with. */
export interface InvolvedAddress {
  /** Index of the operation within the block. */
  readonly operation: number;
  readonly address: Address;
  /** Whether it sent the operation, and paid for it where it is paid for. */
  readonly isSender: boolean;
}

/** An operation that an address has to do with. */
export interface AddressOperation extends OperationPosition {
  readonly isSender: boolean;
}

/** Which of the operations of an address are looked for. */
export interface AddressOperationQuery {
  readonly address: Address;
  /** Those before a position, newest first, or those after it, oldest first. */
  readonly order: 'newestFirst' | 'oldestFirst';
  /** Where they begin, itself left out; absent: at the end of the chain that the order begins with. */
  readonly from?: OperationPosition | undefined;
  /** How many at most. */
  readonly limit: number;
}

/** What follows from stored records for the index of operations by address: the store cannot read them itself. */
export interface OperationIndexing {
  /** What a commit of the block would have as `involved`. */
  involvedIn(block: RecordedBlock): readonly InvolvedAddress[];
  /** The counts that a patch sets, as its commit had them. */
  countsOf(patch: Uint8Array): readonly { readonly payer: Address; readonly count: number }[];
}

/** The records of a block's operations. */
export interface RecordedBlock {
  readonly number: number;
  readonly transactions: readonly StoredTransaction[];
  /** By operation index. */
  readonly receipts: readonly Uint8Array[];
  /** An entry of the state as it is now. */
  state(key: Uint8Array): Uint8Array | undefined;
}
