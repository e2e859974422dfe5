import type { StoredTransaction } from '../operations.ts';
import type { StateEntry } from '../store.ts';
import { readUint32, writeUint32 } from '../tables/record-keys.ts';

/** Bytes of the number of operations, in front of the transaction. */
const COUNT_BYTES = 4;

/** A stored transaction, with the number of its operations. */
export interface TransactionRecord extends StoredTransaction {
  readonly operationCount: number;
}

/** The value that stores a transaction: how many operations it holds, then its bytes. */
export function encodeTransaction(operationCount: number, bytes: Uint8Array): Uint8Array {
  const value = new Uint8Array(COUNT_BYTES + bytes.length);
  writeUint32(value, 0, operationCount);
  value.set(bytes, COUNT_BYTES);
  return value;
}

/** Reads an entry of the table of transactions back. */
export function decodeTransaction({ key, value }: StateEntry): TransactionRecord {
  return {
    firstOperation: readUint32(key, 4),
    operationCount: readUint32(value, 0),
    bytes: value.subarray(COUNT_BYTES),
  };
}
